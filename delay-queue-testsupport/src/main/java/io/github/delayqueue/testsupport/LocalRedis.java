package io.github.delayqueue.testsupport;

import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * The {@code redis-server} process that the tests of an application share, started when
 * the first of them asks for it and ended with the JVM. Unlike {@link TestRedis} it needs
 * nothing that an application may lack. Thread-safe.
 */
public final class LocalRedis {

	private static final int SLOTS = 16384;

	private LocalRedis() {
	}

	public static int port() {
		return Shared.SERVER.port();
	}

	public static String url() {
		return Shared.SERVER.url();
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
		return text(Shared.SERVER, command);
	}

	/**
	 * A cluster, of one server that has all slots.
	 * @return its address
	 */
	public static String clusterUrl() {
		return Cluster.SERVER.url();
	}

	/**
	 * Send a command to the {@linkplain #clusterUrl() cluster}.
	 * @param command the command and its arguments
	 * @return as of {@link #call(String...)}
	 */
	public static String inCluster(String... command) {
		return text(Cluster.SERVER, command);
	}

	/**
	 * How many connections clients have.
	 * @return the number, without that of the question
	 */
	public static long connections() {
		return call("CLIENT", "LIST").lines().count() - 1;
	}

	private static String text(RedisServer server, String... command) {
		return Objects.toString(server.cli(command), "");
	}

	private static RedisServer startCluster() {
		RedisServer server = RedisServer.builder().cluster().build().start();
		server.cli(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(0, SLOTS).mapToObj(String::valueOf))
			.toArray(String[]::new));
		Awaitility.await("cluster").until(() -> text(server, "CLUSTER", "INFO").contains("cluster_state:ok"));
		return server;
	}

	private static final class Shared {

		static final RedisServer SERVER = RedisServer.startNew();

	}

	private static final class Cluster {

		static final RedisServer SERVER = startCluster();

	}

}
