package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A cluster makes a replica the primary of its slots, under load on queues of all three
 * primaries.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClusterFailoverIntegrationTests {

	private final ClusterServers cluster = ClusterServers.startNew();

	/** One for each primary. */
	private final List<String> queues = queues();

	private final String key = "{" + this.queues.get(0) + "}";

	private final RedisServer primary = this.cluster.primaryOf(this.key);

	private final RedisServer replica = this.cluster.replicaOf(this.key);

	@AfterEach
	void close() {
		this.cluster.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	@Heavy
	void goesOnWhenAPrimaryIsKilled(String driver) {
		try (Load load = load(driver)) {
			Account account = fault("Cluster, kill -9, " + driver, () -> {
				// what is acknowledged from here on is not carried over
				this.replica.pause();
				this.primary.cli("CLIENT", "KILL", "TYPE", "replica");
				await().pollDelay(Duration.ofMillis(50)).until(() -> true);
				this.primary.kill();
				this.replica.resume();
			}).under(load);
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	@Heavy
	void goesOnWhenAPrimaryStandsStill(String driver) {
		try (Load load = load(driver)) {
			Account account = fault("Cluster, SIGSTOP, " + driver, this.primary::pause).under(load);
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason();
		}
	}

	@Test
	void losesAndDoublesNothingWhenAFailoverIsAskedFor() {
		try (Load load = load("lettuce")) {
			Account account = fault("CLUSTER FAILOVER", () -> this.replica.cli("CLUSTER", "FAILOVER")).under(load);
			account.assertSane();
			assertThat(account.lost()).isEmpty();
			assertThat(account.doubled()).isEmpty();
		}
	}

	private Fault fault(String name, Runnable begin) {
		return new Fault(name, begin, () -> "master".equals(((List<?>) this.replica.cli("ROLE")).get(0)),
				(hash) -> (this.cluster.slotOf(hash) == this.cluster.slotOf(this.key))
						? this.cluster.readFrom(this.replica, "HKEYS", hash) : List.of());
	}

	private Load load(String driver) {
		return new Load(this.queues, Map.of("spring.data.redis.client-type", driver, "spring.data.redis.cluster.nodes",
				this.cluster.addresses()))
			.awaitWarm();
	}

	private List<String> queues() {
		Map<RedisServer, String> byPrimary = new LinkedHashMap<>();
		IntStream.range(0, 50)
			.mapToObj((i) -> "queue" + i + "x")
			.forEach((queue) -> byPrimary.putIfAbsent(this.cluster.primaryOf("{" + queue + "}"), queue));
		return List.copyOf(byPrimary.values());
	}

}
