package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an idle consumer asks of Redis: not more than one script a second, whatever waits.
 */
@Heavy
class IdleIntegrationTests {

	private static final int LOOKS = 8;

	/** A poll interval, less what differs between looks. */
	private static final Duration LEAST = Duration.ofMillis(800);

	@Test
	void asksOnceInAPollInterval() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server)) {
			try (ListenerFixture instance = new ListenerFixture(stores.open())) {
				instance.schedule("q", "later", "payload", Duration.ofHours(1));
				instance.register("q", (task, context) -> TaskResult.done(), ListenerOptions.defaults());
				await().until(() -> scripts(server) > 2);
				Instant from = Instant.now();
				long before = scripts(server);
				await().until(() -> scripts(server) >= before + LOOKS);
				long looks = scripts(server) - before;
				assertThat(Duration.between(from, Instant.now())).as("time for %d looks", looks)
					.isGreaterThan(LEAST.multipliedBy(looks - 1));
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
