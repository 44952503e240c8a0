package io.github.delayqueue.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;

/**
 * A primary with its replicas, watched by Sentinels, all of them processes of a test's
 * own.
 */
public final class SentinelServers implements AutoCloseable {

	/** The name by which the Sentinels know the primary. */
	public static final String MASTER = "orders";

	private static final int SENTINELS = 3;

	private final List<RedisServer> servers = new ArrayList<>();

	private final List<RedisServer> sentinels = new ArrayList<>();

	private SentinelServers(int replicas, int sentinels, IntFunction<RedisServer.Builder> builders,
			String... arguments) {
		RedisServer primary = builders.apply(0).arguments(arguments).build().start();
		this.servers.add(primary);
		for (int i = 1; i <= replicas; i++) {
			this.servers.add(builders.apply(i)
				.arguments(arguments)
				.arguments("--replicaof", primary.host(), String.valueOf(primary.port()))
				.build()
				.start());
		}
		for (int i = 0; i < sentinels; i++) {
			this.sentinels.add(builders.apply(i).sentinel().build());
		}
		this.sentinels.forEach((sentinel) -> sentinel.write(RedisServer.SENTINEL, configuration(sentinel)).start());
		awaitComplete();
	}

	/** With what Sentinels find out about each other within some seconds. */
	private List<String> configuration(RedisServer self) {
		List<String> lines = new ArrayList<>();
		lines.add("sentinel myid " + id(self));
		lines.add("sentinel monitor " + MASTER + " " + address(this.servers.get(0)) + " "
				+ (this.sentinels.size() / 2 + 1));
		lines.add("sentinel down-after-milliseconds " + MASTER + " 1000");
		lines.add("sentinel failover-timeout " + MASTER + " 6000");
		this.servers.stream()
			.skip(1)
			.forEach((replica) -> lines.add("sentinel known-replica " + MASTER + " " + address(replica)));
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
	 * Start a primary, a replica and three Sentinels, and wait until the replica has the
	 * primary's data and each Sentinel knows the others.
	 * @param arguments what to add to the command lines of primary and replica
	 */
	public static SentinelServers startNew(String... arguments) {
		return startNew(1, SENTINELS, (i) -> RedisServer.builder(), arguments);
	}

	/**
	 * The same with more of them.
	 * @param builders for the primary, the number of a replica or, from zero, of a
	 * Sentinel
	 */
	public static SentinelServers startNew(int replicas, int sentinels, IntFunction<RedisServer.Builder> builders,
			String... arguments) {
		return new SentinelServers(replicas, sentinels, builders, arguments);
	}

	/**
	 * Wait until there is a primary, its replicas are connected, and all Sentinels agree.
	 */
	public void awaitComplete() {
		Awaitility.await("Sentinels").atMost(Patience.LIMIT).ignoreExceptions().until(() -> {
			RedisServer primary = primary();
			return this.sentinels.stream()
				.filter(RedisServer::isRunning)
				.allMatch((sentinel) -> portOfPrimary(sentinel) == primary.port()
						&& String.valueOf(sentinel.cli("SENTINEL", "CKQUORUM", MASTER))
							.startsWith("OK " + this.sentinels.size() + " usable")
						&& ((List<?>) sentinel.cli("SENTINEL", "REPLICAS", MASTER)).size() == this.servers.size() - 1)
					&& primary.hasReplicas(this.servers.size() - 1);
		});
	}

	/** The primary, as the Sentinels see it. */
	public RedisServer primary() {
		int port = portOfPrimary(sentinel());
		return this.servers.stream().filter((server) -> server.port() == port).findFirst().orElseThrow();
	}

	/** A server that is not the primary, running or not. */
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
