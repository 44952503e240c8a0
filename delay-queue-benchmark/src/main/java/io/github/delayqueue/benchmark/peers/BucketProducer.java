package io.github.delayqueue.benchmark.peers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;

/**
 * Puts jobs into pool and bucket: a single one by a script, many by {@code MSET} and a
 * variadic {@code ZADD} for each bucket.
 */
final class BucketProducer extends LettuceProducer {

	private static final String ADD = """
			redis.call('SET', KEYS[1], ARGV[1])
			redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
			""";

	BucketProducer(StatefulRedisConnection<String, String> connection) {
		super(connection, ADD);
	}

	@Override
	String[] keys(BenchTask task) {
		return new String[] { BucketKeys.job(task.id()), BucketKeys.bucketOf(task.id()) };
	}

	@Override
	String[] arguments(BenchTask task) {
		return new String[] { Payloads.toJsonText(task.payload()), Long.toString(task.dueAtMillis()), task.id() };
	}

	@Override
	void send(List<BenchTask> tasks, RedisAsyncCommands<String, String> commands, Consumer<RedisFuture<?>> replies) {
		Map<String, String> jobs = new HashMap<>();
		Map<String, List<Object>> entries = new HashMap<>();
		for (BenchTask task : tasks) {
			jobs.put(BucketKeys.job(task.id()), Payloads.toJsonText(task.payload()));
			List<Object> bucket = entries.computeIfAbsent(BucketKeys.bucketOf(task.id()), (key) -> new ArrayList<>());
			bucket.add((double) task.dueAtMillis());
			bucket.add(task.id());
		}
		replies.accept(commands.mset(jobs));
		entries.forEach((bucket, values) -> replies.accept(commands.zadd(bucket, values.toArray())));
	}

}
