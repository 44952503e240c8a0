package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.SentinelServers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three Sentinels make the replica the primary, under load.
 */
@Execution(ExecutionMode.CONCURRENT)
@Heavy
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
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void goesOnWhenThePrimaryStandsStill(String driver) {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, driver, Map.of())) {
			Account account = fault("Sentinel, SIGSTOP, " + driver, servers, servers.primary()::pause).under(load);
			account.assertSane().assertLostOnlyWhatWasNotReplicated().assertDoubledOnlyForAReason();
		}
	}

	/**
	 * Not coordinated: the old primary acknowledges what is lost until it is made a
	 * replica, ten seconds later. Here it never is, so that whoever does not leave it by
	 * itself stays for ever.
	 */
	@Test
	void leavesTheOldPrimaryByItselfWhenAFailoverIsAskedFor() {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, "lettuce", Map.of())) {
			RedisServer primary = servers.primary();
			RedisServer replica = servers.replica();
			Account account = new Fault("SENTINEL FAILOVER, old primary stays one", () -> {
				primary.cli("ACL", "SETUSER", "default", "-replicaof", "-slaveof");
				servers.sentinel().cli("SENTINEL", "FAILOVER", SentinelServers.MASTER);
			}, () -> {
				long before = primary.scriptCalls();
				long beforeOnNew = replica.scriptCalls();
				await().pollDelay(Duration.ofMillis(500)).until(() -> true);
				return replica.scriptCalls() > beforeOnNew && primary.scriptCalls() == before;
			}, (key) -> List.of()).under(load);
			account.assertSane().assertDoubledOnlyForAReason().assertLostOnlyWhatWasNotReplicated();
			assertThat(role(primary)).isEqualTo("master");
		}
	}

	private static Object role(RedisServer server) {
		return ((List<?>) server.cli("ROLE")).get(0);
	}

	@Test
	void losesNothingThatAReplicaHasConfirmedWhenAFailoverIsAskedFor() {
		Map<String, String> properties = Map.of("delay-queue.producer.min-replicas", "1");
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers, "lettuce", properties)) {
			RedisServer primary = servers.primary();
			// the new primary needs the old one as its replica first
			Account account = new Fault("SENTINEL FAILOVER, old primary made a replica",
					() -> servers.sentinel().cli("SENTINEL", "FAILOVER", SentinelServers.MASTER),
					() -> "slave".equals(role(primary)), (key) -> List.of())
				.under(load);
			account.assertSane().assertDoubledOnlyForAReason();
			assertThat(account.lost()).isEmpty();
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
