package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;

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

	/** Left while so many looks are taken, at most. */
	private static final int TRACES = 1;

	/** A poll interval, less what differs between looks. */
	private static final Duration LEAST = Duration.ofMillis(800);

	@Test
	void asksOnceInAPollInterval() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server)) {
			try (ListenerFixture instance = new ListenerFixture(stores.open())) {
				instance.schedule("q", "later", "payload", Duration.ofHours(1));
				instance.register("q", (task, context) -> TaskResult.done(), ListenerOptions.defaults());
				// the first looks, whether the instance is counted, and the traces that a
				// start
				// leaves
				await().until(() -> server.scriptCalls() > 7);
				Instant from = Instant.now();
				long before = server.scriptCalls();
				await().until(() -> server.scriptCalls() >= before + LOOKS);
				long looks = server.scriptCalls() - before;
				assertThat(Duration.between(from, Instant.now())).as("time for %d looks", looks)
					.isGreaterThan(LEAST.multipliedBy(looks - 1 - TRACES));
			}
		}
	}

}
