package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import reactor.core.publisher.Mono;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a handler is called again, as documents say it.
 */
@DelayQueueTest(classes = RetrySchedulesTests.Listeners.class,
		properties = { "delay-queue.queues.stock.retry.delay=5s", "delay-queue.queues.stock.retry.multiplier=1",
				"delay-queue.queues.stock.retry.jitter=0", "delay-queue.queues.stock.retry.delay-after-false=1s" })
class RetrySchedulesTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private Listeners listeners;

	@BeforeEach
	void begin() {
		this.listeners.calls.clear();
	}

	@Test
	void paymentNotificationIsCalledEightTimesAndTheEighthFailureEnds() {
		Instant begin = this.clock.instant();
		this.delayQueue.schedule("notify", "n-1", "n-1", Duration.ZERO);
		this.clock.advance(Duration.ofDays(2));
		assertThat(this.tester.queue("notify").deliveries()).extracting(EndedDelivery::at)
			.containsExactlyElementsOf(Stream.of(0, 2, 12, 22, 82, 202, 562, 1462)
				.map((minutes) -> begin.plusSeconds(60 * minutes))
				.toList());
		assertThat(this.tester.queue("notify")).hasDead("n-1")
			.withReason(DeadReason.ATTEMPTS_EXHAUSTED)
			.afterAttempts(8);
	}

	@Test
	void falseIsTriedAgainAfterASecondAndAnExceptionAfterFive() {
		for (String payload : List.of("false", "throw")) {
			this.delayQueue.schedule("stock", payload, payload, Duration.ZERO);
		}
		this.clock.runDue();
		assertThat(this.tester.queue("stock")).hasScheduled("false").dueIn(Duration.ofSeconds(1));
		assertThat(this.tester.queue("stock")).hasScheduled("throw").dueIn(Duration.ofSeconds(5));
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.listeners.calls.stream().filter("false"::equals)).as("now and each second").hasSize(6);
		assertThat(this.listeners.calls.stream().filter("throw"::equals)).hasSize(2);
	}

	@Test
	void annotationSaysItForItsListenerAndResultsOfPublishersCountToo() {
		this.delayQueue.schedule("supply", "s-1", "s-1", Duration.ZERO);
		this.clock.runDue();
		assertThat(this.tester.queue("supply")).hasScheduled("s-1").dueIn(Duration.ofSeconds(3));
	}

	static class Listeners {

		final List<String> calls = new ArrayList<>();

		@DelayQueueListener(queue = "notify", retryDelays = "2m, 10m, 10m, 1h, 2h, 6h, 15h")
		void send(String id) {
			throw new IllegalStateException("not accepted");
		}

		@DelayQueueListener(queue = "stock")
		boolean reserve(String how) {
			this.calls.add(how);
			if (how.equals("throw")) {
				throw new IllegalStateException("out of reach");
			}
			return false;
		}

		@DelayQueueListener(queue = "supply", retryDelayAfterFalse = "3s")
		Mono<Boolean> supply(String id) {
			return Mono.just(false);
		}

	}

}
