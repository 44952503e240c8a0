package io.github.delayqueue.benchmark.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.lettuce.core.ClientListArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulRedisConnection;
import org.awaitility.Awaitility;
import redis.embedded.RedisExecProvider;

import org.springframework.util.FileSystemUtils;

/**
 * A {@code redis-server} without persistence, on a free port of the loopback interface
 * and in a temporary folder: what the environment variable {@code REDIS_SERVER} says,
 * else the first on the {@code PATH}, else the one that a Maven artifact carries.
 */
public final class RedisProcess implements AutoCloseable {

	private static final Duration START_LIMIT = Duration.ofSeconds(10);

	private final Path directory;

	private final int port;

	private final Process process;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private RedisProcess(Path directory, int port, Process process) {
		this.directory = directory;
		this.port = port;
		this.process = process;
		this.client = RedisClient.create("redis://127.0.0.1:" + port);
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
		this.connection = connect();
	}

	/**
	 * Start a server and wait until it answers.
	 * @param arguments further arguments
	 * @return the server
	 */
	public static RedisProcess start(String... arguments) {
		try {
			Path directory = Files.createTempDirectory("delay-queue-benchmark");
			int port = freePort();
			List<String> command = Stream.concat(Stream.of(binary().toString(), "--port", String.valueOf(port),
					"--bind", "127.0.0.1", "--dir", directory.toString(), "--save", "", "--appendonly", "no",
					"--logfile", directory.resolve("redis.log").toString()), Stream.of(arguments))
				.toList();
			return new RedisProcess(directory, port, new ProcessBuilder(command).inheritIO().start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private StatefulRedisConnection<String, String> connect() {
		return Awaitility.await("redis-server answers")
			.pollInSameThread()
			.dontCatchUncaughtExceptions()
			.atMost(START_LIMIT)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(10))
			.failFast("redis-server has ended", () -> !this.process.isAlive())
			.ignoreException(RedisConnectionException.class)
			.until(this.client::connect, Objects::nonNull);
	}

	public String host() {
		return "127.0.0.1";
	}

	public int port() {
		return this.port;
	}

	/**
	 * What the server tells of itself.
	 * @param section section of {@code INFO}
	 * @return names and values
	 */
	public Map<String, String> info(String section) {
		Map<String, String> info = new HashMap<>();
		this.connection.sync().info(section).lines().filter((line) -> line.contains(":")).forEach((line) -> {
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
		return this.connection.sync().clientList(ClientListArgs.Builder.typePubsub()).lines().count();
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
		String configured = System.getenv("REDIS_SERVER");
		if (configured != null && !configured.isBlank()) {
			return Path.of(configured);
		}
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator)))
			.filter((directory) -> !directory.isEmpty())
			.map((directory) -> Path.of(directory, "redis-server"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseGet(RedisProcess::embedded);
	}

	private static Path embedded() {
		try {
			return RedisExecProvider.defaultProvider().get().toPath();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot unpack the embedded redis-server", ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
		try {
			this.process.destroyForcibly().waitFor();
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
