package io.github.delayqueue.benchmark.scale;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.server.ScriptNames;

/**
 * The commands that a server itself says have taken long.
 */
final class SlowLog implements AutoCloseable {

	private static final int ENTRIES = 1000;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	/**
	 * Begin to watch, with an empty log.
	 * @param servers where Redis is
	 * @param threshold what takes longer is slow
	 */
	SlowLog(Servers servers, Duration threshold) {
		this.client = RedisClient.create(servers.redis());
		this.connection = this.client.connect();
		this.connection.sync()
			.configSet(Map.of("slowlog-log-slower-than", Long.toString(threshold.toNanos() / 1000), "slowlog-max-len",
					Integer.toString(ENTRIES)));
		this.connection.sync().slowlogReset();
	}

	/**
	 * What has been slow so far, or since the last call.
	 * @return the commands
	 */
	List<SlowCall> take() {
		List<Object> entries = this.connection.sync().slowlogGet(ENTRIES);
		this.connection.sync().slowlogReset();
		return entries.stream().map((entry) -> describe((List<?>) entry)).toList();
	}

	/**
	 * An entry as a person reads it.
	 * @param entry number, time, microseconds, command, ...
	 * @return name of the script or the command, and what it took
	 */
	static SlowCall describe(List<?> entry) {
		double millis = ((Number) entry.get(2)).longValue() / 1000.0;
		List<?> command = (List<?>) entry.get(3);
		String name = String.valueOf(command.get(0));
		if (command.size() > 1) {
			name = ScriptNames.of(String.valueOf(command.get(1)), name);
		}
		return new SlowCall(name, millis);
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
	}

}
