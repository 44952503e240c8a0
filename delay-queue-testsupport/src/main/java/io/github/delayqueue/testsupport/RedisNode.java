package io.github.delayqueue.testsupport;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A Redis at an address, for whoever sends it commands. Thread-safe.
 */
public class RedisNode {

	private final String host;

	private final int port;

	public RedisNode(String host, int port) {
		this.host = host;
		this.port = port;
	}

	/**
	 * Send a command over a connection of its own.
	 * @param command the command and its arguments
	 * @return a {@link Long}, a {@link String}, a {@link List} of these, or {@code null}
	 * @throws IllegalStateException if the server answers an error, with its message, or
	 * does not answer
	 */
	public @Nullable Object cli(String... command) {
		return RespConnection.callOnce(this.host, this.port, command);
	}

	/**
	 * Send a command over a connection of its own.
	 * @param command the command and its arguments
	 * @return the reply: text or a number, empty for nil
	 * @throws IllegalStateException as of {@link #cli(String...)}
	 */
	public String text(String... command) {
		return Objects.toString(cli(command), "");
	}

	/**
	 * What the server tells of itself.
	 * @param section section of {@code INFO}
	 */
	public Map<String, String> info(String section) {
		return text("INFO", section).lines()
			.filter((line) -> line.contains(":"))
			.collect(Collectors.toMap((line) -> line.substring(0, line.indexOf(':')),
					(line) -> line.substring(line.indexOf(':') + 1)));
	}

	/**
	 * Calls of commands since the statistics were reset, with those by scripts.
	 * @param commands their names in lower case
	 */
	public long calls(String... commands) {
		Map<String, String> statistics = info("commandstats");
		return Stream.of(commands)
			.map((command) -> statistics.getOrDefault("cmdstat_" + command, "calls=0,"))
			.mapToLong((calls) -> Long.parseLong(calls.substring("calls=".length(), calls.indexOf(','))))
			.sum();
	}

	/**
	 * Calls of scripts since the statistics were reset, all of them by clients: what a
	 * primary passes on to its replica is no script.
	 */
	public long scriptCalls() {
		return calls("eval", "evalsha");
	}

	/** Kind and version, as in {@code Redis 6.2.7}. */
	public String version() {
		return TestServer.nameOf(info("server"));
	}

	/** Whether it is a primary that sends all its writes to so many replicas. */
	boolean hasReplicas(int replicas) {
		Map<String, String> info = info("replication");
		return "master".equals(info.get("role")) && info.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith("slave") && entry.getValue().contains("state=online"))
			.count() == replicas;
	}

	/**
	 * How many connections clients have.
	 * @return the number, without that of the question
	 */
	public long connections() {
		return text("CLIENT", "LIST").lines().count() - 1;
	}

	public String host() {
		return this.host;
	}

	public int port() {
		return this.port;
	}

	public String url() {
		return "redis://" + this.host + ":" + this.port;
	}

	/**
	 * What an application is started with to use it.
	 * @return an argument for the command line
	 */
	public String argument() {
		return "--spring.data.redis.url=" + url();
	}

	/**
	 * What time it is by the server's clock.
	 * @return the time, to the microsecond
	 */
	public Instant time() {
		List<?> time = (List<?>) Objects.requireNonNull(cli("TIME"));
		return Instant.ofEpochSecond(Long.parseLong((String) time.get(0)))
			.plus(Long.parseLong((String) time.get(1)), ChronoUnit.MICROS);
	}

}
