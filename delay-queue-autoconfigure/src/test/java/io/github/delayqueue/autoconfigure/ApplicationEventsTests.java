package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import io.github.delayqueue.fixtures.LogCapture;
import io.github.delayqueue.DeadReason;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.event.LeaseLostEvent;
import io.github.delayqueue.event.StaleSettlementEvent;
import io.github.delayqueue.event.TaskDeadEvent;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the events that an application can listen to.
 */
class ApplicationEventsTests {

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class))
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(this.clock))
		.withPropertyValues("delay-queue.retry.max-attempts=1", "delay-queue.listener.poll-interval=20ms");

	@Test
	void deadTaskIsToldWithItsReason() {
		this.contextRunner.withUserConfiguration(Handlers.class, Alarm.class).run((context) -> {
			Alarm alarm = context.getBean(Alarm.class);
			context.getBean(DelayQueueOperations.class).schedule("failing", "a", "payload", Duration.ZERO);
			await().until(() -> alarm.events.size() == 1);
			TaskDeadEvent event = (TaskDeadEvent) alarm.events.get(0);
			assertThat(event.queue()).isEqualTo("failing");
			assertThat(event.taskId()).isEqualTo("a");
			assertThat(event.failure()).isNotNull();
			assertThat(event.failure().reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
			assertThat(event.failure().message()).isEqualTo("no luck");
		});
	}

	@Test
	void lostLeaseAndTheLateSettlementAreTold() {
		this.contextRunner.withUserConfiguration(Alarm.class).run((context) -> {
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			operations.schedule("orders", "a", "payload", Duration.ZERO);
			ClaimedTask late = operations.poll("orders", 1, Duration.ofSeconds(1)).get(0);
			this.clock.advance(Duration.ofSeconds(2));
			operations.poll("orders", 1, Duration.ofSeconds(1));
			Alarm alarm = context.getBean(Alarm.class);
			assertThat(alarm.events).containsExactly(new LeaseLostEvent("orders", "a", 1));
			assertThat(late.complete()).isFalse();
			assertThat(alarm.events).hasSize(2);
			StaleSettlementEvent stale = (StaleSettlementEvent) alarm.events.get(1);
			assertThat(stale.queue()).isEqualTo("orders");
			assertThat(stale.taskId()).isEqualTo("a");
			assertThat(stale.took()).isGreaterThanOrEqualTo(Duration.ZERO);
		});
	}

	@Test
	void listenerIsAnnouncedInOneLineOfTheLog() {
		try (LogCapture log = LogCapture.open()) {
			this.contextRunner.withUserConfiguration(Handlers.class)
				.run((context) -> assertThat(log.take())
					.anyMatch((line) -> line.startsWith("INFO Listener 'handlers.work' consumes queue 'working' "
							+ "(concurrency 8, lease duration 30s, retry: 1 attempt): "))
					.anyMatch((line) -> line.contains(
							"(concurrency 8, lease duration 30s, retry: 6 attempts, after 10s, times 2.0 up to 1h): "))
					.anyMatch((line) -> line.startsWith("INFO Listener 'ladder' consumes queue 'climbing' "
							+ "(concurrency 2, lease duration 1m, retry: 3 attempts, after 0s, 2m): ")));
		}
	}

	/** One queue whose tasks are handled, one whose tasks die at once. */
	static class Handlers {

		@DelayQueueListener(queue = "working", id = "handlers.work")
		void work(String payload) {
		}

		@DelayQueueListener(queue = "failing", id = "handlers.fail")
		void fail(String payload) {
			throw new IllegalStateException("no luck");
		}

		@DelayQueueListener(queue = "growing", id = "growth", maxAttempts = "6")
		void grow(String payload) {
		}

		@DelayQueueListener(queue = "climbing", id = "ladder", concurrency = "2", leaseDuration = "1m",
				maxAttempts = "3", retryDelays = "0s, 2m")
		void climb(String payload) {
		}

	}

	static class Alarm {

		private final List<Object> events = new CopyOnWriteArrayList<>();

		@EventListener({ TaskDeadEvent.class, LeaseLostEvent.class, StaleSettlementEvent.class })
		void on(Object event) {
			this.events.add(event);
		}

	}

}
