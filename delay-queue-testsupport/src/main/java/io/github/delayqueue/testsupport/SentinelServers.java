package io.github.delayqueue.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;

/**
 * A primary with one replica, watched by three Sentinels, all of them processes of a
 * test's own.
 */
public final class SentinelServers implements AutoCloseable {

	/** The name by which the Sentinels know the primary. */
	public static final String MASTER = "orders";

	private static final int SENTINELS = 3;

	private final List<RedisServer> servers = new ArrayList<>();

	private final List<RedisServer> sentinels = new ArrayList<>();

	private SentinelServers(String... arguments) {
		RedisServer primary = RedisServer.builder().arguments(arguments).build().start();
		this.servers.add(primary);
		this.servers.add(RedisServer.builder()
			.arguments(arguments)
			.arguments("--replicaof", primary.host(), String.valueOf(primary.port()))
			.build()
			.start());
		for (int i = 0; i < SENTINELS; i++) {
			this.sentinels.add(RedisServer.builder().sentinel().build());
		}
		this.sentinels.forEach((sentinel) -> sentinel.write(RedisServer.SENTINEL, configuration(sentinel)).start());
		awaitComplete();
	}

	/** With what Sentinels find out about each other within some seconds. */
	private List<String> configuration(RedisServer self) {
		List<String> lines = new ArrayList<>();
		lines.add("sentinel myid " + id(self));
		lines.add("sentinel monitor " + MASTER + " " + address(this.servers.get(0)) + " 2");
		lines.add("sentinel down-after-milliseconds " + MASTER + " 1000");
		lines.add("sentinel failover-timeout " + MASTER + " 6000");
		lines.add("sentinel known-replica " + MASTER + " " + address(this.servers.get(1)));
		this.sentinels.stream()
			.filter((sentinel) -> sentinel != self)
			.forEach(
					(other) -> lines.add("sentinel known-sentinel " + MASTER + " " + address(other) + " " + id(other)));
		return lines;
	}

	private static String address(RedisServer server) {
		return server.host() + " " + server.port();
	}

	private static String id(RedisServer sentinel) {
		return String.format(Locale.ROOT, "%040x", sentinel.port());
	}

	/**
	 * Start all of them, and wait until the replica has the primary's data and each
	 * Sentinel knows the others.
	 * @param arguments what to add to the command lines of primary and replica
	 */
	public static SentinelServers startNew(String... arguments) {
		return new SentinelServers(arguments);
	}

	/**
	 * Wait until there is a primary, its replica is connected, and all Sentinels agree.
	 */
	public void awaitComplete() {
		Awaitility.await("Sentinels").atMost(Patience.LIMIT).ignoreExceptions().until(() -> {
			RedisServer primary = primary();
			return this.sentinels.stream()
				.filter(RedisServer::isRunning)
				.allMatch((sentinel) -> portOfPrimary(sentinel) == primary.port()
						&& String.valueOf(sentinel.cli("SENTINEL", "CKQUORUM", MASTER)).startsWith("OK 3 usable")
						&& ((List<?>) sentinel.cli("SENTINEL", "REPLICAS", MASTER)).size() == 1)
					&& primary.hasReplicas(1);
		});
	}

	/** The primary, as the Sentinels see it. */
	public RedisServer primary() {
		int port = portOfPrimary(sentinel());
		return this.servers.stream().filter((server) -> server.port() == port).findFirst().orElseThrow();
	}

	/** The server that is not the primary, running or not. */
	public RedisServer replica() {
		RedisServer primary = primary();
		return this.servers.stream().filter((server) -> server != primary).findFirst().orElseThrow();
	}

	/** One of the Sentinels, to send commands to. */
	public RedisServer sentinel() {
		return this.sentinels.get(0);
	}

	/**
	 * The addresses of the Sentinels as {@code spring.data.redis.sentinel.nodes} takes
	 * them.
	 * @return host and port of each, separated by commas
	 */
	public String nodes() {
		return this.sentinels.stream()
			.map((sentinel) -> sentinel.host() + ":" + sentinel.port())
			.collect(Collectors.joining(","));
	}

	private static int portOfPrimary(RedisServer sentinel) {
		List<?> address = (List<?>) sentinel.cli("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
		return Integer.parseInt((String) address.get(1));
	}

	@Override
	public void close() {
		this.sentinels.forEach(RedisServer::close);
		this.servers.forEach(RedisServer::close);
	}

}
