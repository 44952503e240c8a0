package io.github.delayqueue.console;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.delayqueue.Names;
import io.github.delayqueue.fixtures.HostileData;

import static io.github.delayqueue.fixtures.Tasks.bytes;

/**
 * What somebody writes into a queue: a task that is not as it should be, or a place for
 * one that there is not.
 *
 * @param queue the queue
 * @param place where he puts it
 * @param index the suffix of the index, {@code null} for none
 * @param score its score there
 * @param id its id
 * @param envelope its envelope, {@code null} for none
 * @param delivery its delivery record, {@code null} for none
 * @param failure its last failure, {@code null} for none
 */
record HostileCase(String queue, Place place, String index, String score, byte[] id, byte[] envelope, byte[] delivery,
		byte[] failure) {

	enum Place {

		DUE, EXPIRED, ORPHAN, FUTURE, HELD, DEAD, COMPLETED, LOST

	}

	private static final List<String> WAITING = List.of("", ":high", ":low");

	static HostileCase random(HostileData data, int number, String queue) {
		Place place = (data.below(2) == 0) ? Place.DUE : data.any(List.of(Place.values()));
		String index = switch (place) {
			case DUE, FUTURE -> data.any(WAITING);
			case EXPIRED, HELD -> ":leases";
			case ORPHAN -> data.any(List.of("", ":high", ":low", ":leases"));
			case DEAD -> ":dead";
			case COMPLETED -> ":completed";
			case LOST -> null;
		};
		boolean future = place == Place.FUTURE || place == Place.HELD;
		return new HostileCase(queue, place, index, future ? data.futureScore() : data.pastScore(), data.id(number),
				(place != Place.ORPHAN) ? data.envelope() : null, (data.below(3) == 0) ? data.deliveryRecord() : null,
				(data.below(4) == 0) ? data.failure() : null);
	}

	void writeTo(RedisConnection redis, String prefix) {
		if (this.delivery != null) {
			redis.hashCommands().hSet(key(prefix, ":deliveries"), this.id, this.delivery);
		}
		if (this.failure != null) {
			redis.hashCommands().hSet(key(prefix, ":errors"), this.id, this.failure);
		}
		if (this.envelope != null) {
			redis.hashCommands().hSet(key(prefix, ":tasks"), this.id, this.envelope);
		}
		if (this.index != null) {
			redis.execute("ZADD", key(prefix, this.index), bytes(this.score), this.id);
		}
		if (this.id[this.id.length - 1] == '0') {
			redis.hashCommands().hSet(key(prefix, ":meta"), bytes("unknown"), this.id);
			for (String total : List.of("scheduled", "completed", "buried", "expired", "orphans")) {
				redis.hashCommands()
					.hSet(key(prefix, ":meta"), bytes(total), this.envelope != null ? this.envelope : this.id);
			}
			redis.execute("PUBLISH", key(prefix, ":wake"), this.envelope != null ? this.envelope : this.id);
		}
	}

	byte[] key(String prefix, String suffix) {
		return bytes(prefix + "{" + this.queue + "}" + suffix);
	}

	boolean hasForbiddenId() {
		try {
			return Names.objectionToTaskId(
					StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(this.id)).toString()) != null;
		}
		catch (CharacterCodingException ex) {
			return true;
		}
	}

	/** The id as text; what cannot be decoded is replaced. */
	String text() {
		return new String(this.id, StandardCharsets.UTF_8);
	}

	@Override
	public String toString() {
		return this.place + " task of " + this.queue + " with id 0x" + hex(this.id) + ", envelope " + hex(this.envelope)
				+ ", delivery " + hex(this.delivery) + ", score " + this.score;
	}

	private static String hex(byte[] bytes) {
		if (bytes == null) {
			return "none";
		}
		String hex = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 300));
		return (bytes.length > 300) ? hex + "… (" + bytes.length + " bytes)" : hex;
	}

}
