package io.github.delayqueue.benchmark.peers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;

/**
 * Stores payload and timer: of a single task by a script, of many by a pipeline.
 */
final class ExpiryProducer extends LettuceProducer {

	private static final String ADD = """
			redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
			redis.call('SET', KEYS[2], '', 'PXAT', ARGV[3])
			""";

	ExpiryProducer(StatefulRedisConnection<String, String> connection) {
		super(connection, ADD);
	}

	@Override
	String[] keys(BenchTask task) {
		return new String[] { ExpirySystem.PAYLOADS, ExpirySystem.TIMER + task.id() };
	}

	@Override
	String[] arguments(BenchTask task) {
		return new String[] { task.id(), Payloads.toJsonText(task.payload()), Long.toString(task.dueAtMillis()) };
	}

	@Override
	void send(List<BenchTask> tasks, RedisAsyncCommands<String, String> commands, Consumer<RedisFuture<?>> replies) {
		Map<String, String> payloads = new HashMap<>();
		tasks.forEach((task) -> payloads.put(task.id(), Payloads.toJsonText(task.payload())));
		replies.accept(commands.hset(ExpirySystem.PAYLOADS, payloads));
		for (BenchTask task : tasks) {
			replies.accept(commands.set(ExpirySystem.TIMER + task.id(), "", SetArgs.Builder.pxAt(task.dueAtMillis())));
		}
	}

}
