package io.github.delayqueue.migration;

import java.util.ArrayList;
import java.util.List;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * A list or a sorted set that entries are taken from.
 *
 * @param walked the key that is walked along
 * @param sorted whether it is a sorted set, else a list
 * @param script the step that takes entries
 * @param takenFrom the keys that the step takes them from
 */
record Place(byte[] walked, boolean sorted, MovingScript script, List<byte[]> takenFrom) {

	/**
	 * Whether its entries are due, and have lost their due times.
	 * @return whether they are
	 */
	boolean isDue() {
		return this.script == MovingScript.TAKE_DUE;
	}

	/**
	 * Whether its entries are to be counted. What is in a list with due times elsewhere
	 * is there as well.
	 * @return whether they are
	 */
	boolean holdsAll() {
		return this.sorted || isDue();
	}

	List<byte[]> page(RedisConnection connection, long skip, int limit) {
		if (this.sorted) {
			return new ArrayList<>(connection.zSetCommands().zRange(this.walked, skip, skip + limit - 1));
		}
		List<byte[]> page = connection.listCommands().lRange(this.walked, skip, skip + limit - 1);
		return (page != null) ? page : List.of();
	}

	long size(RedisConnection connection) {
		Long size = this.sorted ? connection.zSetCommands().zCard(this.walked)
				: connection.listCommands().lLen(this.walked);
		return (size != null) ? size : 0;
	}

}
