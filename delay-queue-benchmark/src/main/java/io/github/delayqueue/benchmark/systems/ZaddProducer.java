package io.github.delayqueue.benchmark.systems;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulRedisConnection;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;

/**
 * One {@code ZADD} a task, of id and payload with the due time as the score; in bulk one
 * for {@value #CHUNK} tasks, without waiting for one before the next is sent.
 */
final class ZaddProducer implements Producer {

	static final int CHUNK = 500;

	/** Length of an id, and how much of a member is not payload. */
	static final int ID_LENGTH = 18;

	private final StatefulRedisConnection<byte[], byte[]> connection;

	ZaddProducer(StatefulRedisConnection<byte[], byte[]> connection) {
		this.connection = connection;
	}

	@Override
	public void schedule(BenchTask task) {
		this.connection.sync().zadd(RedisSystem.KEY, (double) task.dueAtMillis(), member(task));
	}

	@Override
	public CompletionStage<?> scheduleAsync(BenchTask task) {
		return this.connection.async().zadd(RedisSystem.KEY, (double) task.dueAtMillis(), member(task));
	}

	@Override
	public void scheduleAll(List<BenchTask> tasks) {
		List<RedisFuture<?>> calls = new ArrayList<>();
		for (int from = 0; from < tasks.size(); from += CHUNK) {
			calls.add(add(tasks.subList(from, Math.min(tasks.size(), from + CHUNK))));
		}
		if (!LettuceFutures.awaitAll(1, TimeUnit.MINUTES, calls.toArray(RedisFuture[]::new))) {
			throw new IllegalStateException("Not done within a minute");
		}
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private RedisFuture<Long> add(List<BenchTask> tasks) {
		ScoredValue<byte[]>[] members = new ScoredValue[tasks.size()];
		for (int i = 0; i < members.length; i++) {
			BenchTask task = tasks.get(i);
			members[i] = ScoredValue.just(task.dueAtMillis(), member(task));
		}
		return this.connection.async().zadd(RedisSystem.KEY, members);
	}

	private static byte[] member(BenchTask task) {
		byte[] id = RedisSystem.bytes(task.id());
		byte[] json = Payloads.toJson(task.payload());
		byte[] member = new byte[id.length + json.length];
		System.arraycopy(id, 0, member, 0, id.length);
		System.arraycopy(json, 0, member, id.length, json.length);
		return member;
	}

}
