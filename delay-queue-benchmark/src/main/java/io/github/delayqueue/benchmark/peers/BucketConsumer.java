package io.github.delayqueue.benchmark.peers;

import java.time.Duration;

import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.TaskSink;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * Takes one job after the other from the ready list, by a connection of its own to wait
 * on. A job goes back to its bucket, for when its time to run is over, and is deleted
 * when it has been handled.
 */
final class BucketConsumer implements Workers.Step {

	static final Duration TTR = Duration.ofSeconds(30);

	private static final long WAIT_SECONDS = 5;

	private static final String TAKE = """
			local job = redis.call('GET', KEYS[1])
			if job then redis.call('ZADD', KEYS[2], ARGV[1], ARGV[2]) end
			return job
			""";

	private static final String FINISH = """
			redis.call('UNLINK', KEYS[1])
			return redis.call('ZREM', KEYS[2], ARGV[1])
			""";

	private final StatefulRedisConnection<String, String> blocking;

	private final StatefulRedisConnection<String, String> shared;

	private final String take;

	private final String finish;

	private final TaskSink sink;

	BucketConsumer(StatefulRedisConnection<String, String> blocking, StatefulRedisConnection<String, String> shared,
			TaskSink sink) {
		this.blocking = blocking;
		this.shared = shared;
		this.take = shared.sync().scriptLoad(TAKE);
		this.finish = shared.sync().scriptLoad(FINISH);
		this.sink = sink;
	}

	@Override
	public Duration run() {
		KeyValue<String, String> ready = this.blocking.sync().brpop(WAIT_SECONDS, BucketKeys.READY);
		if (ready != null) {
			handle(ready.getValue());
		}
		return Duration.ZERO;
	}

	private void handle(String id) {
		String[] keys = { BucketKeys.job(id), BucketKeys.bucketOf(id) };
		String deadline = Long.toString(System.currentTimeMillis() + TTR.toMillis());
		String job = Replies.await(this.shared.async().evalsha(this.take, ScriptOutputType.VALUE, keys, deadline, id));
		if (job == null) {
			return;
		}
		this.sink.handle(Payloads.fromJson(job));
		Replies.await(this.shared.async().evalsha(this.finish, ScriptOutputType.INTEGER, keys, id));
	}

}
