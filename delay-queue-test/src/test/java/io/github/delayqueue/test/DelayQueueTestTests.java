package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueTest} with the class of a listener.
 */
@DelayQueueTest(classes = DelayQueueTestTests.Listener.class)
class DelayQueueTestTests {

	private static final String QUEUE = "order_timeout";

	private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private Listener listener;

	private TestQueue queue;

	@BeforeEach
	void begin() {
		this.queue = this.tester.queue(QUEUE);
		this.listener.orders.clear();
		this.listener.failures = 0;
	}

	@Test
	void taskRunsWhenItIsDueAndNotBefore() {
		Instant start = this.clock.instant();
		this.delayQueue.schedule(QUEUE, "order-1", new Order("book", 3), HALF_AN_HOUR);
		assertThat(this.queue).hasScheduled("order-1").dueIn(HALF_AN_HOUR).withPayload(new Order("book", 3));
		assertThat(this.clock.advance(HALF_AN_HOUR.minusMillis(1))).isEmpty();
		assertThat(this.listener.orders).isEmpty();
		assertThat(this.clock.advance(Duration.ofMillis(1))).hasSize(1);
		assertThat(this.listener.orders).containsExactly(new Order("book", 3));
		assertThat(this.queue).hasHandled("order-1").afterAttempts(1).at(start.plus(HALF_AN_HOUR)).and().isEmpty();
	}

	@Test
	void failureIsRetriedWithTheDelaysOfTheListener() {
		this.listener.failures = 2;
		Instant start = this.clock.instant();
		this.delayQueue.schedule(QUEUE, "order-1", new Order("book", 3), Duration.ofSeconds(10));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.queue).hasScheduled("order-1").dueIn(Duration.ofMinutes(1)).afterFailures(1);
		this.clock.advance(Duration.ofDays(1));
		assertThat(this.queue).hasHandled("order-1")
			.afterAttempts(3)
			.at(start.plusSeconds(10).plus(Duration.ofMinutes(1)).plus(Duration.ofHours(1)))
			.withPayload(new Order("book", 3));
		assertThat(this.tester.failures()).hasSize(2)
			.allSatisfy((failure) -> assertThat(failure.cause()).isInstanceOf(IllegalStateException.class));
	}

	@Test
	void whatIsDueTogetherIsHandledByPriority() {
		for (TaskPriority priority : List.of(TaskPriority.LOW, TaskPriority.NORMAL, TaskPriority.HIGH)) {
			this.delayQueue.schedule(TaskRequest.queue(QUEUE)
				.id(priority.name())
				.payload(new Order(priority.name(), 1))
				.delay(Duration.ofSeconds(1))
				.priority(priority)
				.build());
		}
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.queue).hasHandledExactly("HIGH", "NORMAL", "LOW");
	}

	record Order(String item, int count) {

	}

	static class Listener {

		private final List<Order> orders = new ArrayList<>();

		private int failures;

		@DelayQueueListener(queue = QUEUE, retryDelays = "1m, 1h", retryJitter = "0")
		void close(Order order) {
			if (this.failures-- > 0) {
				throw new IllegalStateException("for a test");
			}
			this.orders.add(order);
		}

	}

}
