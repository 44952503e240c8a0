package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.SentinelServers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three Sentinels make the replica the primary, under load.
 */
class SentinelFailoverIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(SentinelFailoverIntegrationTests.class);

	private static final String QUEUE = "orders";

	@Test
	void goesOnWhenThePrimaryIsKilled() {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers).awaitWarm()) {
			RedisServer primary = servers.primary();
			RedisServer replica = servers.replica();
			long from = System.nanoTime();
			// what is acknowledged from here on is not carried over
			primary.cli("CLIENT", "KILL", "TYPE", "replica");
			await().pollDelay(Duration.ofMillis(50)).until(() -> true);
			primary.kill();
			Set<String> replicated = ids(replica);
			await().pollInterval(Duration.ofMillis(10)).until(() -> servers.primary() == replica);
			long to = System.nanoTime();
			long again = load.awaitHandledAgain(to);
			long prompt = load.awaitPromptness(to);
			load.drain();
			Account account = new Account(load, from, to + again * 1_000_000);
			logger.info("kill -9, new primary after {} ms, handled again {} ms later, woken again {} ms later: {}",
					(to - from) / 1_000_000, again, prompt, account.text());
			account.assertSane().assertLostOnlyWhatWasNotReplicated(replicated).assertDoubledOnlyForAReason();
			assertThat(again).isLessThan(5000);
		}
	}

	@Test
	void goesOnWhenThePrimaryStandsStill() {
		try (SentinelServers servers = SentinelServers.startNew(); Load load = load(servers).awaitWarm()) {
			RedisServer primary = servers.primary();
			RedisServer replica = servers.replica();
			long from = System.nanoTime();
			primary.pause();
			Set<String> replicated = ids(replica);
			await().pollInterval(Duration.ofMillis(10)).until(() -> servers.primary() == replica);
			long to = System.nanoTime();
			long again = load.awaitHandledAgain(to);
			long prompt = load.awaitPromptness(to);
			load.drain();
			Account account = new Account(load, from, to + again * 1_000_000);
			logger.info("SIGSTOP, new primary after {} ms, handled again {} ms later, woken again {} ms later: {}",
					(to - from) / 1_000_000, again, prompt, account.text());
			account.assertSane().assertLostOnlyWhatWasNotReplicated(replicated).assertDoubledOnlyForAReason();
			assertThat(again).isLessThan(5000);
		}
	}

	@Test
	void goesOnWhenAFailoverIsAskedFor() {
		try (SentinelServers servers = SentinelServers.startNew("--min-replicas-to-write", "1");
				Load load = load(servers).awaitWarm()) {
			RedisServer replica = servers.replica();
			long from = System.nanoTime();
			servers.sentinel().cli("SENTINEL", "FAILOVER", SentinelServers.MASTER);
			await().pollInterval(Duration.ofMillis(10)).until(() -> servers.primary() == replica);
			long to = System.nanoTime();
			long again = load.awaitHandledAgain(to);
			long prompt = load.awaitPromptness(to);
			load.drain();
			Account account = new Account(load, from, to + again * 1_000_000);
			logger.info("FAILOVER, new primary after {} ms, handled again {} ms later, woken again {} ms later: {}",
					(to - from) / 1_000_000, again, prompt, account.text());
			account.assertSane().assertDoubledOnlyForAReason();
			assertThat(again).isLessThan(15000);
		}
	}

	private static Set<String> ids(RedisServer server) {
		return Stream.of(server.cli("HKEYS", Load.PREFIX + "{" + QUEUE + "}:tasks"))
			.flatMap((ids) -> ((List<?>) ids).stream())
			.map(String::valueOf)
			.collect(Collectors.toSet());
	}

	private static Load load(SentinelServers servers) {
		return new Load(List.of(QUEUE), "spring.data.redis.sentinel.master=" + SentinelServers.MASTER,
				"spring.data.redis.sentinel.nodes=" + servers.nodes());
	}

}
