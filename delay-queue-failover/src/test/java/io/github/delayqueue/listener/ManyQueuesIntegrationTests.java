package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a thousand queues in one application take: hardly more threads than one, and no
 * connection more.
 */
@Heavy
class ManyQueuesIntegrationTests {

	private static final int QUEUES = 1000;

	/** Subscriptions by which others see that the instance lives. */
	private static final int OWN = 1;

	private static final int MORE_THREADS = 10;

	private final AtomicInteger handled = new AtomicInteger();

	private final AtomicInteger registered = new AtomicInteger();

	@ParameterizedTest(name = "virtual threads: {0}")
	@MethodSource("kindsOfThreads")
	void takeHardlyMoreThanOne(boolean virtualThreads) {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = DriverStores.on(server)) {
			try (ListenerFixture instance = new ListenerFixture(stores.open(), ListenerFixture.defaults(),
					virtualThreads)) {
				addQueues(instance, 1);
				handleOneEach(instance);
				await().until(() -> connections(server, "sub=" + (1 + OWN) + " ") == 1);
				long threads = threads();
				long connected = connections(server, "");
				addQueues(instance, QUEUES);
				await().until(() -> connections(server, "sub=" + (QUEUES + OWN) + " ") == 1);
				handleOneEach(instance);
				// those of handlers, and of claims beyond the first few, end after ten
				// seconds
				await().untilAsserted(() -> {
					assertThat(threads()).as(() -> "threads: " + names()).isLessThanOrEqualTo(threads + MORE_THREADS);
				});
				assertThat(connections(server, "")).as("connections").isEqualTo(connected);
			}
		}
	}

	private static Stream<Boolean> kindsOfThreads() {
		return (Runtime.version().feature() < 21) ? Stream.of(false) : Stream.of(false, true);
	}

	private void addQueues(ListenerFixture instance, int upTo) {
		while (this.registered.get() < upTo) {
			instance.register("q" + this.registered.getAndIncrement(), (task, context) -> {
				this.handled.incrementAndGet();
				return TaskResult.done();
			}, ListenerOptions.defaults());
		}
	}

	private void handleOneEach(ListenerFixture instance) {
		int before = this.handled.get();
		for (int i = 0; i < this.registered.get(); i++) {
			instance.schedule("q" + i, "task", "payload", Duration.ZERO);
		}
		await().until(() -> this.handled.get() == before + this.registered.get());
	}

	/** Those of the library, and of its connections. */
	private static long threads() {
		return names().values().stream().mapToInt(Integer::intValue).sum();
	}

	private static Map<String, Integer> names() {
		Map<String, Integer> names = new TreeMap<>();
		Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("delay-queue-") || name.startsWith("lettuce-"))
			.forEach((name) -> names.merge(name.replaceAll("[0-9]+", ""), 1, Integer::sum));
		return names;
	}

	private static long connections(RedisServer server, String with) {
		return Arrays.stream(server.cli("CLIENT", "LIST").toString().split("\\R|, "))
			.filter((client) -> client.contains("addr=") && client.contains(with) && !client.contains("cmd=client"))
			.count();
	}

}
