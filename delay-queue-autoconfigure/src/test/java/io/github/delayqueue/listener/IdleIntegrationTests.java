package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an idle consumer asks of Redis: one script a second, whatever waits.
 */
class IdleIntegrationTests {

	private static final Duration WATCHED = Duration.ofSeconds(10);

	@Test
	void asksOnceInAPollInterval() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server)) {
			try (ListenerFixture instance = new ListenerFixture(stores.open())) {
				instance.schedule("q", "later", "payload", Duration.ofHours(1));
				instance.register("q", (task, context) -> TaskResult.done(), ListenerOptions.defaults());
				await().until(() -> scripts(server) > 2);
				long before = scripts(server);
				await().pollDelay(WATCHED).atMost(WATCHED.plusSeconds(10)).until(() -> true);
				assertThat(scripts(server) - before).isBetween(5L, 12L);
			}
		}
	}

	/** Calls by clients, without the commands inside of scripts. */
	private static long scripts(RedisServer server) {
		Matcher calls = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)")
			.matcher(server.cli("INFO", "commandstats").toString());
		return calls.results().mapToLong((call) -> Long.parseLong(call.group(1))).sum();
	}

}
