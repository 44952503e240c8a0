package io.github.delayqueue.ecosystem.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A {@code redis-server} process that the tests of a JVM share, started when the first of
 * them asks for it and ended with the JVM. Nothing is kept on disk. Thread-safe.
 */
public final class LocalRedis {

	private static final String HOST = "127.0.0.1";

	private static final int SLOTS = 16384;

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private LocalRedis() {
	}

	public static int port() {
		return Shared.PORT;
	}

	public static String url() {
		return "redis://" + HOST + ":" + port();
	}

	/**
	 * What an application is started with to use it.
	 * @return an argument for the command line
	 */
	public static String argument() {
		return "--spring.data.redis.url=" + url();
	}

	/**
	 * Send a command over a connection of its own.
	 * @param command the command and its arguments
	 * @return the reply: text or a number, empty for nil
	 * @throws IllegalStateException if the reply is an error, with its text
	 */
	public static String call(String... command) {
		try {
			return call(port(), command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Redis does not answer", ex);
		}
	}

	/**
	 * A cluster, of one server that has all slots.
	 * @return its address
	 */
	public static String clusterUrl() {
		return "redis://" + HOST + ":" + Cluster.PORT;
	}

	/**
	 * Send a command to the {@linkplain #clusterUrl() cluster}.
	 * @param command the command and its arguments
	 * @return as of {@link #call(String...)}
	 */
	public static String inCluster(String... command) {
		try {
			return call(Cluster.PORT, command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Redis does not answer", ex);
		}
	}

	/**
	 * How many connections clients have.
	 * @return the number, without that of the question
	 */
	public static long connections() {
		return call("CLIENT", "LIST").lines().count() - 1;
	}

	private static String call(int port, String... command) throws IOException {
		try (Socket socket = new Socket(HOST, port)) {
			socket.setSoTimeout((int) TIMEOUT.toMillis());
			ByteArrayOutputStream request = new ByteArrayOutputStream();
			request.writeBytes(("*" + command.length + "\r\n").getBytes(StandardCharsets.UTF_8));
			for (String part : command) {
				byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
				request.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
				request.writeBytes(bytes);
				request.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
			}
			OutputStream out = socket.getOutputStream();
			out.write(request.toByteArray());
			return reply(new BufferedInputStream(socket.getInputStream()));
		}
	}

	private static String reply(InputStream in) throws IOException {
		String line = line(in);
		String rest = line.isEmpty() ? "" : line.substring(1);
		return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
			case '+', ':' -> rest;
			case '$' -> new String(in.readNBytes(Math.max(0, Integer.parseInt(rest))), StandardCharsets.UTF_8);
			default -> throw new IllegalStateException(line);
		};
	}

	private static String line(InputStream in) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int b = in.read(); b != -1 && b != '\n'; b = in.read()) {
			if (b != '\r') {
				line.write(b);
			}
		}
		return line.toString(StandardCharsets.UTF_8);
	}

	private static int startCluster() {
		int port = start("--cluster-enabled", "yes");
		try {
			call(port,
					Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(0, SLOTS).mapToObj(String::valueOf))
						.toArray(String[]::new));
			Awaitility.await("cluster")
				.atMost(TIMEOUT)
				.ignoreExceptions()
				.until(() -> call(port, "CLUSTER", "INFO").contains("cluster_state:ok"));
			return port;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Redis does not answer", ex);
		}
	}

	private static int start(String... more) {
		try {
			Path folder = Files.createTempDirectory("redis");
			int port = freePort();
			Path log = folder.resolve("redis.log");
			List<String> command = new ArrayList<>(
					List.of(RedisExecutable.find().toString(), "--port", String.valueOf(port), "--bind", HOST, "--dir",
							folder.toString(), "--save", "", "--appendonly", "no"));
			command.addAll(List.of(more));
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, folder, log), "redis"));
			Awaitility.await("start of Redis")
				.atMost(TIMEOUT)
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(10))
				.failFast("Redis has ended, see " + log, () -> !process.isAlive())
				.ignoreExceptions()
				.until(() -> "PONG".equals(call(port, "PING")));
			return port;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Redis cannot be started", ex);
		}
	}

	private static void end(Process process, Path folder, Path log) {
		process.destroyForcibly().onExit().join();
		try {
			Files.deleteIfExists(log);
			Files.deleteIfExists(folder.resolve("nodes.conf"));
			Files.delete(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Redis has left something behind", ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
			return socket.getLocalPort();
		}
	}

	private static final class Shared {

		static final int PORT = start();

	}

	private static final class Cluster {

		static final int PORT = startCluster();

	}

}
