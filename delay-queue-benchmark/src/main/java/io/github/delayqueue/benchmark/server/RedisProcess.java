package io.github.delayqueue.benchmark.server;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.github.delayqueue.testsupport.RedisBinary;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * A {@link RedisServer} without persistence, and what it says of itself.
 */
public final class RedisProcess implements AutoCloseable {

	private final RedisServer server;

	private RedisProcess(RedisServer server) {
		this.server = server;
	}

	/**
	 * Start a server and wait until it answers.
	 * @param arguments further arguments
	 * @return the server
	 */
	public static RedisProcess start(String... arguments) {
		return new RedisProcess(RedisServer.builder().arguments(arguments).build().start());
	}

	public String host() {
		return this.server.host();
	}

	public int port() {
		return this.server.port();
	}

	/**
	 * What the server tells of itself.
	 * @param section section of {@code INFO}
	 * @return names and values
	 */
	public Map<String, String> info(String section) {
		Map<String, String> info = new HashMap<>();
		text("INFO", section).lines().filter((line) -> line.contains(":")).forEach((line) -> {
			int colon = line.indexOf(':');
			info.put(line.substring(0, colon), line.substring(colon + 1));
		});
		return info;
	}

	/**
	 * Memory the server uses, as it says.
	 * @return bytes
	 */
	public long usedMemory() {
		return Long.parseLong(info("memory").get("used_memory"));
	}

	/**
	 * CPU time the server has used, in user mode and in the kernel.
	 * @return seconds
	 */
	public double cpuSeconds() {
		Map<String, String> info = info("cpu");
		return Double.parseDouble(info.get("used_cpu_user")) + Double.parseDouble(info.get("used_cpu_sys"));
	}

	/**
	 * How many connections it has.
	 * @return those that subscribe to channels
	 */
	public long subscribers() {
		return text("CLIENT", "LIST", "TYPE", "pubsub").lines().count();
	}

	public String version() {
		Map<String, String> info = info("server");
		return info.containsKey("valkey_version") ? "Valkey " + info.get("valkey_version")
				: "Redis " + info.get("redis_version");
	}

	/**
	 * Which executable is run.
	 * @return its path
	 */
	public static Path binary() {
		return RedisBinary.path();
	}

	private String text(String... command) {
		return Objects.requireNonNull(this.server.cli(command)).toString();
	}

	@Override
	public void close() {
		this.server.close();
	}

}
