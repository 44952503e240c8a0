package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.SentinelServers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three Sentinels make the replica the primary, under load.
 */
class SentinelFailoverIntegrationTests {

	@Test
	void goesOnWhenThePrimaryIsKilled() {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers)) {
			RedisServer primary = servers.primary();
			RedisServer replica = servers.replica();
			Account account = fault("Sentinel, kill -9", servers, () -> {
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
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers)) {
			Account account = fault("Sentinel, SIGSTOP", servers, servers.primary()::pause).under(load);
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason();
			assertThat(account.again()).isLessThan(Duration.ofSeconds(8));
		}
	}

	@Test
	void goesOnWhenAFailoverIsAskedFor() {
		try (SentinelServers servers = SentinelServers.startNew("--min-replicas-to-write", "1");
				Load load = load(servers)) {
			Account account = fault("SENTINEL FAILOVER", servers,
					() -> servers.sentinel().cli("SENTINEL", "FAILOVER", SentinelServers.MASTER))
				.under(load);
			account.assertSane().assertDoubledOnlyForAReason();
			assertThat(account.again()).isLessThan(Duration.ofSeconds(5));
		}
	}

	private static Fault fault(String name, SentinelServers servers, Runnable begin) {
		RedisServer replica = servers.replica();
		return new Fault(name, begin, () -> servers.primary() == replica, (key) -> replica.cli("HKEYS", key));
	}

	private static Load load(SentinelServers servers) {
		return new Load(List.of("orders"), "spring.data.redis.sentinel.master=" + SentinelServers.MASTER,
				"spring.data.redis.sentinel.nodes=" + servers.nodes())
			.awaitWarm();
	}

}
