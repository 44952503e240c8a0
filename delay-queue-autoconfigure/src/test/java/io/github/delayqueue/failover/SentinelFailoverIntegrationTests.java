package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.SentinelServers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three Sentinels make the replica the primary, under load.
 */
class SentinelFailoverIntegrationTests {

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void goesOnWhenThePrimaryIsKilled(String driver) {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, driver, Map.of())) {
			RedisServer primary = servers.primary();
			RedisServer replica = servers.replica();
			Account account = fault("Sentinel, kill -9, " + driver, servers, () -> {
				// what is acknowledged from here on is not carried over
				replica.pause();
				primary.cli("CLIENT", "KILL", "TYPE", "replica");
				await().pollDelay(Duration.ofMillis(50)).until(() -> true);
				primary.kill();
				replica.resume();
			}).under(load);
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason().assertGoesOn();
		}
	}

	@Test
	void goesOnWhenThePrimaryStandsStill() {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, "lettuce", Map.of())) {
			Account account = fault("Sentinel, SIGSTOP", servers, servers.primary()::pause).under(load);
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason().assertGoesOn();
		}
	}

	/**
	 * Not coordinated: the old primary acknowledges what is lost until it is made a
	 * replica, ten seconds later. The load goes on for as long.
	 */
	@Test
	void leavesTheOldPrimaryAtOnceWhenAFailoverIsAskedFor() {
		Account account = failover(Map.of());
		assertThat(account.lastLost()).isLessThan(Duration.ofSeconds(4));
		account.assertGoesOn();
	}

	@Test
	void losesNothingThatAReplicaHasConfirmedWhenAFailoverIsAskedFor() {
		Account account = failover(Map.of("delay-queue.producer.min-replicas", "1"));
		assertThat(account.lost()).isEmpty();
		// the new primary needs the old one as its replica first
		account.assertGoesOn();
	}

	private static Account failover(Map<String, String> properties) {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, "lettuce", properties)) {
			RedisServer primary = servers.primary();
			Account account = new Fault("SENTINEL FAILOVER, old primary made a replica " + properties,
					() -> servers.sentinel().cli("SENTINEL", "FAILOVER", SentinelServers.MASTER),
					() -> "slave".equals(((List<?>) primary.cli("ROLE")).get(0)), (key) -> List.of())
				.under(load);
			return account.assertSane().assertDoubledOnlyForAReason();
		}
	}

	private static Fault fault(String name, SentinelServers servers, Runnable begin) {
		RedisServer replica = servers.replica();
		return new Fault(name, begin, () -> servers.primary() == replica, (key) -> replica.cli("HKEYS", key));
	}

	private static Load load(SentinelServers servers, String driver, Map<String, String> more) {
		Map<String, String> properties = new HashMap<>(more);
		properties.put("spring.data.redis.client-type", driver);
		properties.put("spring.data.redis.sentinel.master", SentinelServers.MASTER);
		properties.put("spring.data.redis.sentinel.nodes", servers.nodes());
		return new Load(List.of("orders"), properties).awaitWarm();
	}

}
