package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of three primaries with a replica each, all of them processes of a test's
 * own. They know each other from the start by files that are written for them.
 */
public final class ClusterServers implements AutoCloseable {

	private static final int PRIMARIES = 3;

	/** Where no failure is waited for: a node that stands still for a while is none. */
	public static final Duration PATIENT = Duration.ofSeconds(10);

	/** Where one is. */
	public static final Duration HASTY = Duration.ofSeconds(2);

	/** So that a node never takes one of another cluster for its own. */
	private final String name = UUID.randomUUID().toString().replace("-", "");

	private final List<RedisServer> nodes;

	private ClusterServers(IntFunction<RedisServer.Builder> builders, String... arguments) {
		this.nodes = IntStream.range(0, 2 * PRIMARIES)
			.mapToObj((i) -> builders.apply(i)
				.cluster()
				.arguments("--cluster-node-timeout", String.valueOf(HASTY.toMillis()),
						"--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0",
						// until the first ping of its primary a replica is listed nowhere
						"--repl-ping-replica-period", "1")
				.arguments(arguments)
				.build())
			.toList();
		for (int i = 0; i < this.nodes.size(); i++) {
			this.nodes.get(i).write(RedisServer.NODES, knownTo(i));
		}
		this.nodes.forEach(RedisServer::start);
		awaitComplete();
	}

	/**
	 * Start all of them, and wait until every slot is served and every replica has the
	 * data of its primary.
	 * @param arguments what to add to the command lines
	 */
	public static ClusterServers startNew(String... arguments) {
		return startNew((i) -> RedisServer.builder(), arguments);
	}

	/**
	 * The same elsewhere.
	 * @param builders for the number of a node: primaries first, then their replicas
	 */
	public static ClusterServers startNew(IntFunction<RedisServer.Builder> builders, String... arguments) {
		return new ClusterServers(builders, arguments);
	}

	/**
	 * The cluster that tests share which leave it as they found it, started when the
	 * first of them asks for it and ended with the JVM.
	 */
	public static ClusterServers shared() {
		return Shared.CLUSTER;
	}

	private List<String> knownTo(int self) {
		List<String> lines = new ArrayList<>();
		for (int i = 0; i < this.nodes.size(); i++) {
			RedisServer node = this.nodes.get(i);
			int primary = i % PRIMARIES;
			boolean replica = i >= PRIMARIES;
			lines.add(String.format(Locale.ROOT, "%s %s:%d@%d %s%s %s 0 0 %d connected%s", id(i), node.host(),
					node.port(), node.port() + Ports.BUS_OFFSET, (i == self) ? "myself," : "",
					replica ? "slave" : "master", replica ? id(primary) : "-", primary + 1,
					replica ? "" : " " + slots(primary)));
		}
		lines.add("vars currentEpoch " + PRIMARIES + " lastVoteEpoch 0");
		return lines;
	}

	private String id(int node) {
		return this.name + "0000000" + node;
	}

	private static String slots(int primary) {
		return primary * RedisServer.SLOTS / PRIMARIES + "-" + ((primary + 1) * RedisServer.SLOTS / PRIMARIES - 1);
	}

	/**
	 * Wait until all nodes run, agree, serve all slots, and each primary has its replica.
	 */
	public void awaitComplete() {
		try {
			Awaitility.await("Cluster").atMost(Patience.LIMIT).ignoreExceptions().until(this::isComplete);
		}
		catch (ConditionTimeoutException ex) {
			throw new IllegalStateException("The cluster does not become complete: " + this.nodes.stream()
				.map((node) -> node.isRunning() ? String.valueOf(node.cli("CLUSTER", "NODES")) : node.log())
				.collect(Collectors.joining("\n\n")), ex);
		}
	}

	private boolean isComplete() {
		return this.nodes.stream().allMatch(ClusterServers::isContent)
				&& this.nodes.stream().map(ClusterServers::owners).distinct().count() == 1
				&& this.nodes.stream()
					.filter((node) -> isPrimary(node))
					.filter((node) -> node.hasReplicas(1))
					.count() == PRIMARIES;
	}

	private static boolean isContent(RedisServer node) {
		String nodes = String.valueOf(node.cli("CLUSTER", "NODES"));
		return String.valueOf(node.cli("CLUSTER", "INFO")).contains("cluster_state:ok") && !nodes.contains("fail")
				&& !nodes.contains("handshake") && !nodes.contains("disconnected");
	}

	private static boolean isPrimary(RedisServer node) {
		return "master".equals(((List<?>) node.cli("ROLE")).get(0));
	}

	/** Range by range, the port of the primary and that of its replica. */
	private static String owners(RedisServer node) {
		return ranges(node).stream()
			.map((range) -> range.get(0) + "-" + range.get(1) + "=" + port(range, 0) + "," + port(range, 1))
			.sorted()
			.collect(Collectors.joining(";"));
	}

	private static Object port(List<?> range, int position) {
		return ((List<?>) range.get(2 + position)).get(1);
	}

	private static List<List<?>> ranges(RedisServer node) {
		List<List<?>> ranges = new ArrayList<>();
		((List<?>) node.cli("CLUSTER", "SLOTS")).forEach((range) -> ranges.add((List<?>) range));
		return ranges;
	}

	/** The primary that serves a key. */
	public RedisServer primaryOf(String key) {
		return serving(key, 0);
	}

	/** The replica of the primary that serves a key. */
	public RedisServer replicaOf(String key) {
		return serving(key, 1);
	}

	private RedisServer serving(String key, int position) {
		RedisServer any = anyRunning();
		long slot = slotOf(key);
		List<?> range = ranges(any).stream()
			.filter((candidate) -> (Long) candidate.get(0) <= slot && slot <= (Long) candidate.get(1))
			.findFirst()
			.orElseThrow();
		long port = (Long) port(range, position);
		return this.nodes.stream().filter((node) -> node.port() == port).findFirst().orElseThrow();
	}

	/** Another primary than the given one. */
	public RedisServer primaryBeside(RedisServer primary) {
		return this.nodes.stream().filter((node) -> node != primary && isPrimary(node)).findFirst().orElseThrow();
	}

	/** The id by which the nodes of the cluster know one of them. */
	public static String id(RedisServer node) {
		return (String) node.cli("CLUSTER", "MYID");
	}

	/**
	 * The slot of a key.
	 * @return a number from 0 to 16383
	 */
	public long slotOf(String key) {
		return (Long) anyRunning().cli("CLUSTER", "KEYSLOT", key);
	}

	/**
	 * Send a command to the primary that serves a key.
	 * @param command the command and its arguments
	 */
	public @Nullable Object cli(String key, String... command) {
		return primaryOf(key).cli(command);
	}

	/**
	 * Read from a replica, whatever it has.
	 * @param command the command and its arguments
	 */
	public @Nullable Object readFrom(RedisServer replica, String... command) {
		try (RespConnection connection = RespConnection.open(replica.host(), replica.port(), Patience.LIMIT)) {
			connection.call("READONLY");
			return connection.call(command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The addresses of all nodes as {@code spring.data.redis.cluster.nodes} takes them.
	 * @return host and port of each, separated by commas
	 */
	public String addresses() {
		return this.nodes.stream().map((node) -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
	}

	public List<RedisServer> nodes() {
		return this.nodes;
	}

	/** Set for how long a node is silent before the others take it for dead. */
	public void setNodeTimeout(Duration timeout) {
		this.nodes
			.forEach((node) -> node.cli("CONFIG", "SET", "cluster-node-timeout", String.valueOf(timeout.toMillis())));
	}

	private RedisServer anyRunning() {
		return this.nodes.stream().filter(RedisServer::isRunning).findFirst().orElseThrow();
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisServer::close);
	}

	private static final class Shared {

		static final ClusterServers CLUSTER = startNew();

		static {
			CLUSTER.setNodeTimeout(PATIENT);
		}

	}

}
