package io.github.delayqueue.benchmark.scale;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.store.redis.RedisTaskStore;

/**
 * The commands that a server itself says have taken long.
 */
public final class SlowLog implements AutoCloseable {

	private static final List<String> SCRIPTS = List.of("schedule", "claim", "settle", "extend", "cancel", "reschedule",
			"redrive", "purge", "clear", "pause", "resume", "list", "stats", "check");

	private static final int ENTRIES = 1000;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final Map<String, String> scripts = new HashMap<>();

	/**
	 * Begin to watch, with an empty log.
	 * @param servers where Redis is
	 * @param threshold what takes longer is slow
	 */
	public SlowLog(Servers servers, Duration threshold) {
		this.client = RedisClient.create(servers.redis());
		this.connection = this.client.connect();
		this.connection.sync()
			.configSet(Map.of("slowlog-log-slower-than", Long.toString(threshold.toNanos() / 1000), "slowlog-max-len",
					Integer.toString(ENTRIES)));
		this.connection.sync().slowlogReset();
		SCRIPTS.forEach((name) -> this.scripts.put(sha1(name), name));
	}

	/**
	 * What has been slow so far, or since the last call.
	 * @return each command with what it took, the oldest first
	 */
	public List<String> take() {
		List<Object> entries = this.connection.sync().slowlogGet(ENTRIES);
		this.connection.sync().slowlogReset();
		return entries.stream().map((entry) -> describe((List<?>) entry)).sorted().toList();
	}

	String describe(List<?> entry) {
		double millis = ((Number) entry.get(2)).longValue() / 1000.0;
		List<?> command = (List<?>) entry.get(3);
		String name = String.valueOf(command.get(0));
		if (command.size() > 1) {
			String argument = String.valueOf(command.get(1));
			name = this.scripts.getOrDefault(argument, name);
		}
		return String.format(Locale.ROOT, "%s %.1f ms", name, millis);
	}

	private static String sha1(String script) {
		try (InputStream in = RedisTaskStore.class.getResourceAsStream(script + ".lua")) {
			if (in == null) {
				throw new IllegalStateException("No script " + script);
			}
			byte[] digest = MessageDigest.getInstance("SHA-1")
				.digest(new String(in.readAllBytes(), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1", ex);
		}
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
	}

}
