package io.github.delayqueue.benchmark.peers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * Puts jobs into pool and bucket: a single one by a script, many by {@code MSET} and a
 * variadic {@code ZADD} for each bucket.
 */
final class BucketProducer implements Producer {

	static final int CHUNK = 1000;

	private static final String ADD = """
			redis.call('SET', KEYS[1], ARGV[1])
			redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
			""";

	private final StatefulRedisConnection<String, String> connection;

	private final String add;

	BucketProducer(StatefulRedisConnection<String, String> connection) {
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
					new String[] { BucketKeys.job(task.id()), BucketKeys.bucketOf(task.id()) },
					Payloads.toJsonText(task.payload()), Long.toString(task.dueAtMillis()), task.id());
	}

	@Override
	public void scheduleAll(List<BenchTask> tasks) {
		List<RedisFuture<?>> replies = new ArrayList<>();
		for (List<BenchTask> chunk : Chunks.of(tasks, CHUNK)) {
			add(chunk, replies);
		}
		replies.forEach(Replies::await);
	}

	private void add(List<BenchTask> tasks, List<RedisFuture<?>> replies) {
		Map<String, String> jobs = new HashMap<>();
		Map<String, List<Object>> entries = new HashMap<>();
		for (BenchTask task : tasks) {
			jobs.put(BucketKeys.job(task.id()), Payloads.toJsonText(task.payload()));
			List<Object> bucket = entries.computeIfAbsent(BucketKeys.bucketOf(task.id()), (key) -> new ArrayList<>());
			bucket.add((double) task.dueAtMillis());
			bucket.add(task.id());
		}
		replies.add(this.connection.async().mset(jobs));
		entries.forEach((bucket, values) -> replies.add(this.connection.async().zadd(bucket, values.toArray())));
	}

}
