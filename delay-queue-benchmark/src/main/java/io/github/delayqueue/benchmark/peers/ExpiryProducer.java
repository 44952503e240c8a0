package io.github.delayqueue.benchmark.peers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;

/**
 * Stores payload and timer: of a single task by a script, of many by a pipeline.
 */
final class ExpiryProducer implements Producer {

	static final int CHUNK = 1000;

	private static final String ADD = """
			redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
			redis.call('SET', KEYS[2], '', 'PXAT', ARGV[3])
			""";

	private final StatefulRedisConnection<String, String> connection;

	private final String add;

	ExpiryProducer(StatefulRedisConnection<String, String> connection) {
		this.connection = connection;
		this.add = connection.sync().scriptLoad(ADD);
	}

	@Override
	public void schedule(BenchTask task) {
		Replies.await(scheduleAsync(task));
	}

	@Override
	public CompletionStage<?> scheduleAsync(BenchTask task) {
		return this.connection.async()
			.evalsha(this.add, ScriptOutputType.STATUS,
					new String[] { ExpirySystem.PAYLOADS, ExpirySystem.TIMER + task.id() }, task.id(),
					Payloads.toJsonText(task.payload()), Long.toString(task.dueAtMillis()));
	}

	@Override
	public void scheduleAll(List<BenchTask> tasks) {
		RedisAsyncCommands<String, String> commands = this.connection.async();
		List<RedisFuture<?>> replies = new ArrayList<>();
		for (List<BenchTask> chunk : Chunks.of(tasks, CHUNK)) {
			Map<String, String> payloads = new HashMap<>();
			chunk.forEach((task) -> payloads.put(task.id(), Payloads.toJsonText(task.payload())));
			replies.add(commands.hset(ExpirySystem.PAYLOADS, payloads));
			chunk.forEach((task) -> replies
				.add(commands.set(ExpirySystem.TIMER + task.id(), "", SetArgs.Builder.pxAt(task.dueAtMillis()))));
		}
		replies.forEach(Replies::await);
	}

}
