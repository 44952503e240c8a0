package io.github.delayqueue.benchmark.peers;

import java.time.Duration;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * The timer of one bucket: with each tick moves what is due to the ready list, until
 * nothing is.
 */
final class BucketMover implements Workers.Step {

	static final int BATCH = 500;

	static final Duration TICK = Duration.ofMillis(100);

	private static final String MOVE = """
			local ids = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
			if #ids > 0 then
			  redis.call('LPUSH', KEYS[2], unpack(ids))
			  redis.call('ZREM', KEYS[1], unpack(ids))
			end
			return #ids
			""";

	private final StatefulRedisConnection<String, String> connection;

	private final String bucket;

	private final String move;

	BucketMover(StatefulRedisConnection<String, String> connection, int number) {
		this.connection = connection;
		this.bucket = BucketKeys.bucket(number);
		this.move = connection.sync().scriptLoad(MOVE);
	}

	@Override
	public Duration run() {
		Long moved = Replies.await(this.connection.async()
			.<Long>evalsha(this.move, ScriptOutputType.INTEGER, new String[] { this.bucket, BucketKeys.READY },
					Long.toString(System.currentTimeMillis()), Integer.toString(BATCH)));
		return (moved == BATCH) ? Duration.ZERO : TICK;
	}

}
