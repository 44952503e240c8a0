package io.github.delayqueue.benchmark.systems;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulRedisConnection;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;

/**
 * One {@code ZADD} a task, of id and payload with the due time as the score; in bulk one
 * for {@value #CHUNK} tasks, as many as a script of the delay queue gets at most.
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
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public void scheduleAll(List<BenchTask> tasks) {
		for (int from = 0; from < tasks.size(); from += CHUNK) {
			List<BenchTask> chunk = tasks.subList(from, Math.min(tasks.size(), from + CHUNK));
			ScoredValue<byte[]>[] members = new ScoredValue[chunk.size()];
			for (int i = 0; i < members.length; i++) {
				members[i] = ScoredValue.just(chunk.get(i).dueAtMillis(), member(chunk.get(i)));
			}
			this.connection.sync().zadd(RedisSystem.KEY, members);
		}
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
