package io.github.delayqueue.ecosystem.restart;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.delayqueue.ecosystem.restart.RestartApplication.Listener;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A context that is stopped or paused while it handles tasks, and started again, several
 * times over.
 */
@Heavy
class RestartedContextIntegrationTests {

	private static final int ROUNDS = 4;

	private static final int TASKS_PER_ROUND = 200;

	private static final int BEFORE_STOP = 50;

	/**
	 * Handlers have the name of their listener. There may be two for each of the eight
	 * workers: one follows another before the other's thread is back with the pool.
	 */
	private static final Map<String, Integer> MOST_THREADS = Map.ofEntries(Map.entry("delay-queue-", 4),
			Map.entry("delay-queue-claim-", 4), Map.entry("delay-queue-beside-", 4), Map.entry("delay-queue-lease-", 3),
			Map.entry("delay-queue-extend-", 4), Map.entry("delay-queue-settle-", 4),
			Map.entry("delay-queue-settlement-", 4), Map.entry("delay-queue-wake-", 1),
			Map.entry("delay-queue-watch-", 2), Map.entry("delay-queue-watching-", 4),
			Map.entry("delay-queue-names-", 1), Map.entry("delay-queue-subscription-", 1),
			Map.entry("delay-queue-handler-", 16), Map.entry("delay-queue-listener.handle-", 16));

	/**
	 * The ways to stop and start a context.
	 */
	enum Way {

		/** By hand. */
		STOP_AND_START(ConfigurableApplicationContext::stop, ConfigurableApplicationContext::start),

		/** As the test framework does with a context that is cached. */
		PAUSE_AND_RESTART(ConfigurableApplicationContext::pause, ConfigurableApplicationContext::restart),

		/** As before and after a checkpoint. */
		STOP_AND_RESTART(ConfigurableApplicationContext::stop, ConfigurableApplicationContext::restart);

		private final Consumer<ConfigurableApplicationContext> stop;

		private final Consumer<ConfigurableApplicationContext> start;

		Way(Consumer<ConfigurableApplicationContext> stop, Consumer<ConfigurableApplicationContext> start) {
			this.stop = stop;
			this.start = start;
		}

	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void nothingIsLostDoubledOrLeftOver(Way way) {
		String queue = way.name();
		long before = RedisServer.shared().connections();
		List<Integer> expected = new ArrayList<>();
		try (ConfigurableApplicationContext context = start(queue)) {
			Listener listener = context.getBean(Listener.class);
			List<Integer> handled = listener.handled();
			DelayQueueOperations delayQueue = context.getBean(DelayQueueOperations.class);
			schedule(delayQueue, queue, expected);
			listener.permit(TASKS_PER_ROUND);
			hasten(delayQueue, queue, expected);
			await().until(() -> handled.size() == expected.size());
			awaitSubscription(queue);
			long connections = RedisServer.shared().connections();
			Set<String> instances = new HashSet<>(Set.of(instance(context)));
			for (int round = 0; round < ROUNDS; round++) {
				int some = expected.size() + BEFORE_STOP;
				schedule(delayQueue, queue, expected);
				listener.permit(BEFORE_STOP);
				await().until(() -> handled.size() == some);
				// until the stop has begun all handlers are at work
				CompletableFuture<Void> begun = CompletableFuture.runAsync(() -> {
					await().until(() -> !isRunning(context));
					listener.permit(TASKS_PER_ROUND - BEFORE_STOP);
				});
				way.stop.accept(context);
				begun.join();
				int handledWhenStopped = handled.size();
				assertThat(handledWhenStopped).isLessThan(expected.size());
				// some have their time while nobody is there
				assertThat(RedisServer.shared().text("ZCARD", "delay:queue:{" + queue + "}"))
					.isEqualTo(String.valueOf(expected.size() - handledWhenStopped));
				await().untilAsserted(
						() -> assertThat(RedisServer.shared().connections()).as("while stopped").isEqualTo(before));
				way.start.accept(context);
				hasten(delayQueue, queue, expected);
				await().untilAsserted(() -> assertThat(handled).hasSameSizeAs(expected));
				assertThat(instances.add(instance(context))).as("another one, as copies of a process are").isTrue();
			}
			assertThat(handled).containsExactlyInAnyOrderElementsOf(expected);
			await().untilAsserted(() -> assertThat(RedisServer.shared().connections()).isEqualTo(connections));
			await().untilAsserted(() -> assertThat(threads()).allSatisfy((kind, threads) -> assertThat(threads).as(kind)
				.isLessThanOrEqualTo(MOST_THREADS.getOrDefault(kind, 0))));
			assertThat(delayQueue.stats(queue).totals().retried()).isZero();
			assertThat(delayQueue.stats(queue).totals().leasesLost()).isZero();
		}
		await().untilAsserted(() -> assertThat(RedisServer.shared().connections()).isEqualTo(before));
		await().untilAsserted(() -> assertThat(threads()).isEmpty());
	}

	private static String instance(ConfigurableApplicationContext context) {
		return context.getBean(DelayQueueListenerContainerRegistry.class).getInstance();
	}

	private static boolean isRunning(ConfigurableApplicationContext context) {
		return context.getBean(DelayQueueListenerContainerRegistry.class)
			.getContainers()
			.stream()
			.anyMatch(DelayQueueListenerContainer::isRunning);
	}

	@Test
	void wakeChannelIsSubscribedToAgain() {
		try (ConfigurableApplicationContext context = start("wakes", "--delay-queue.listener.poll-interval=1m")) {
			context.getBean(Listener.class).permit(2);
			List<Integer> handled = context.getBean(Listener.class).handled();
			for (int round = 1; round <= 2; round++) {
				int number = round;
				awaitSubscription("wakes");
				context.getBean(DelayQueueOperations.class).schedulePayload("wakes", number, Duration.ofMillis(50));
				await().untilAsserted(() -> assertThat(handled).contains(number));
				context.pause();
				context.restart();
			}
		}
	}

	private static void awaitSubscription(String queue) {
		await().until(() -> RedisServer.shared()
			.text("PUBSUB", "NUMSUB", "delay:queue:{" + queue + "}:wake")
			.endsWith(", 1]"));
	}

	private static ConfigurableApplicationContext start(String queue, String... more) {
		List<String> arguments = new ArrayList<>(List.of(RedisServer.shared().argument(), "--restart.queue=" + queue));
		arguments.addAll(List.of(more));
		return SpringApplication.run(RestartApplication.class, arguments.toArray(String[]::new));
	}

	/** Half of them due at once, others a moment later, and some not unless hastened. */
	private static void schedule(DelayQueueOperations delayQueue, String queue, List<Integer> expected) {
		List<Integer> numbers = IntStream.range(expected.size(), expected.size() + TASKS_PER_ROUND).boxed().toList();
		delayQueue.scheduleAll(numbers.stream()
			.map((number) -> TaskRequest.queue(queue)
				.id(number.toString())
				.payload(number)
				.delay(delay(number))
				.build())
			.toList());
		expected.addAll(numbers);
	}

	private static Duration delay(int number) {
		return isLate(number) ? Duration.ofHours(1) : Duration.ofMillis((number % 2 == 0) ? 0 : 100);
	}

	private static boolean isLate(int number) {
		return number % 10 == 9;
	}

	/** Those of the last round. */
	private static void hasten(DelayQueueOperations delayQueue, String queue, List<Integer> expected) {
		assertThat(expected.subList(expected.size() - TASKS_PER_ROUND, expected.size()))
			.filteredOn(RestartedContextIntegrationTests::isLate)
			.hasSize(TASKS_PER_ROUND / 10)
			.allMatch((number) -> delayQueue.reschedule(queue, number.toString(), Duration.ZERO));
	}

	/** How many there are of each kind. */
	private static Map<String, Integer> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("delay-queue-"))
			.collect(Collectors.toMap((name) -> name.substring(0, name.lastIndexOf('-') + 1), (name) -> 1,
					Integer::sum));
	}

}
