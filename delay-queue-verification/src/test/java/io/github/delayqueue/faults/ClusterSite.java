package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.faults.Fault.Inflicted;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * A cluster, and processes that reach it by Jedis. Its replicas take over only when they
 * are asked to, after which nothing is lost: what a fail-over that nobody asked for may
 * cost has tests of its own.
 */
final class ClusterSite implements Site {

	/** Longer than a run: no replica takes the place of a primary by itself. */
	private static final String NODE_TIMEOUT = "3600000";

	private final ClusterServers cluster = ClusterServers.startNew("--appendonly", "yes", "--appendfsync", "always",
			"--cluster-node-timeout", NODE_TIMEOUT);

	@Override
	public List<String> properties(String slot) {
		return List.of("spring.data.redis.client-type=jedis",
				"spring.data.redis.cluster.nodes=" + this.cluster.addresses());
	}

	@Override
	public RedisConnectionFactory connect() {
		return Driver.JEDIS.connect(this.cluster);
	}

	@Override
	public List<RedisServer> servers() {
		return this.cluster.nodes();
	}

	@Override
	public Map<FaultKind, Fault> faults(HistoryLog log, Observer observer) {
		Map<FaultKind, Fault> faults = new EnumMap<>(FaultKind.class);
		faults.put(FaultKind.REDIS_KILLED, (random) -> {
			RedisServer primary = primary(random);
			primary.kill();
			return everybody(Fault.between(random, 100, 2500), primary::start);
		});
		faults.put(FaultKind.REDIS_STOPPED, (random) -> {
			RedisServer primary = primary(random);
			primary.pause();
			return everybody(Fault.between(random, 1000, 4500), primary::resume);
		});
		faults.put(FaultKind.FAILED_OVER, (random) -> {
			this.cluster.replicaOf(queue(random)).cli("CLUSTER", "FAILOVER");
			return everybody(Duration.ZERO, () -> {
			});
		});
		faults.put(FaultKind.CLIENTS_KILLED, (random) -> all((server) -> {
			server.cli("CLIENT", "KILL", "TYPE", "normal");
			server.cli("CLIENT", "KILL", "TYPE", "pubsub");
		}));
		faults.put(FaultKind.SCRIPTS_FLUSHED, (random) -> all((server) -> server.cli("SCRIPT", "FLUSH", "SYNC")));
		return faults;
	}

	private RedisServer primary(Random random) {
		return this.cluster.primaryOf(queue(random));
	}

	private static String queue(Random random) {
		return "{" + SuiteSettings.QUEUES.get(random.nextInt(SuiteSettings.QUEUES.size())) + "}";
	}

	private Inflicted all(Consumer<RedisServer> fault) {
		this.cluster.nodes().forEach(fault);
		return everybody(Duration.ZERO, () -> {
		});
	}

	/** The next fault finds a cluster that works. */
	private Inflicted everybody(Duration hold, Runnable undo) {
		return new Inflicted(Inflicted.EVERYBODY, hold, () -> {
			undo.run();
			this.cluster.awaitComplete();
		});
	}

	@Override
	public void close() {
		this.cluster.close();
	}

}
