package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

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

	/** Not more: a standstill makes looks seem rare. */
	private static final int ATTEMPTS = 3;

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
				// what a start leaves and asks for comes too, and may come late
				assertThat(IntStream.range(0, ATTEMPTS).anyMatch((i) -> looksOnceInAPollInterval(server))).isTrue();
			}
		}
	}

	private static boolean looksOnceInAPollInterval(RedisServer server) {
		Instant from = Instant.now();
		long before = server.scriptCalls();
		await().until(() -> server.scriptCalls() >= before + LOOKS);
		long looks = server.scriptCalls() - before;
		Duration time = Duration.between(from, Instant.now());
		return time.compareTo(LEAST.multipliedBy(looks - 1 - TRACES)) > 0;
	}

}
