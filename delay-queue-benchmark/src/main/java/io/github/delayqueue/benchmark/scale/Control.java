package io.github.delayqueue.benchmark.scale;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;

import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.store.TaskStore;

/**
 * What a server calls slow when it does no more than a sorted set needs: variadic
 * {@code ZADD} of payloads with random scores, until it has as many as a queue has tasks.
 */
final class Control {

	/** As many tasks as a call of the store can have. */
	private static final int MEMBERS = TaskStore.MAX_BATCH;

	private static final byte[] KEY = "benchmark:{control}".getBytes(StandardCharsets.US_ASCII);

	private final Servers servers;

	/**
	 * Prepare.
	 * @param servers where Redis is
	 */
	Control(Servers servers) {
		this.servers = servers;
	}

	/**
	 * Fill the sorted set, and remove it.
	 * @param size how many members it gets
	 */
	void fill(int size) {
		RedisClient client = RedisClient.create(this.servers.redis());
		try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
			SplittableRandom random = new SplittableRandom(7);
			for (int done = 0; done < size; done += MEMBERS) {
				connection.sync().zadd(KEY, members(done, Math.min(MEMBERS, size - done), random));
			}
			connection.sync().unlink(KEY);
		}
		finally {
			client.shutdown();
		}
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static ScoredValue<byte[]>[] members(int from, int count, SplittableRandom random) {
		ScoredValue<byte[]>[] members = new ScoredValue[count];
		for (int i = 0; i < count; i++) {
			members[i] = ScoredValue.just(random.nextLong(Duration.ofHours(6).toMillis()),
					Payloads.toJson(Payloads.of(from + i, 0)));
		}
		return members;
	}

}
