package io.github.delayqueue.failover;

import java.time.Duration;
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
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, driver)) {
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
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason();
			assertThat(account.again()).isLessThan(Duration.ofSeconds(5));
		}
	}

	@Test
	void goesOnWhenThePrimaryStandsStill() {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, "lettuce")) {
			Account account = fault("Sentinel, SIGSTOP", servers, servers.primary()::pause).under(load);
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason();
			assertThat(account.again()).isLessThan(Duration.ofSeconds(8));
		}
	}

	/**
	 * Not coordinated: the old primary acknowledges what is lost until it is made a
	 * replica, ten seconds later. The load goes on for as long.
	 */
	@Test
	void leavesTheOldPrimaryAtOnceWhenAFailoverIsAskedFor() {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, "lettuce")) {
			RedisServer primary = servers.primary();
			Fault fault = new Fault("SENTINEL FAILOVER, old primary made a replica",
					() -> servers.sentinel().cli("SENTINEL", "FAILOVER", SentinelServers.MASTER),
					() -> "slave".equals(((List<?>) primary.cli("ROLE")).get(0)), (key) -> List.of());
			Account account = fault.under(load);
			account.assertSane().assertDoubledOnlyForAReason();
			assertThat(account.lastLost()).isLessThan(Duration.ofSeconds(4));
			assertThat(account.again()).isLessThan(Duration.ofSeconds(2));
		}
	}

	private static Fault fault(String name, SentinelServers servers, Runnable begin) {
		RedisServer replica = servers.replica();
		return new Fault(name, begin, () -> servers.primary() == replica, (key) -> replica.cli("HKEYS", key));
	}

	private static Load load(SentinelServers servers, String driver) {
		return new Load(List.of("orders"),
				Map.of("spring.data.redis.client-type", driver, "spring.data.redis.sentinel.master",
						SentinelServers.MASTER, "spring.data.redis.sentinel.nodes", servers.nodes()))
			.awaitWarm();
	}

}
