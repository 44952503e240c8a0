package io.github.delayqueue.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An assertion that does not hold in a handler fails the test whose clock runs it.
 */
@DelayQueueTest(classes = HandlerAssertionTests.Listeners.class,
		properties = "delay-queue.test.start-at=2026-01-01T00:00:00Z")
class HandlerAssertionTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@ParameterizedTest
	@ValueSource(strings = { "plain", "wrapped", "stage" })
	void assertionOfAHandlerComesOutOfTheClock(String queue) {
		this.delayQueue.schedule(queue, "a", 1, Duration.ofMinutes(1));
		this.delayQueue.schedule(queue, "b", 2, Duration.ofMinutes(2));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.clock.advance(Duration.ofHours(1)))
			.withMessageContaining("expected: 2");
		assertThat(this.clock.instant()).isEqualTo("2026-01-01T00:01:00Z");
		assertThat(this.tester.queue(queue)).hasScheduled("a").afterFailures(1).and().hasScheduled("b");
		assertThat(this.clock.advance(Duration.ofMinutes(1))).anyMatch((delivery) -> delivery.taskId().equals("b"));
	}

	static class Listeners {

		@DelayQueueListener(queue = "plain", maxAttempts = "9", retryDelay = "1d")
		void plain(int number) {
			assertThat(number).isEqualTo(2);
		}

		@DelayQueueListener(queue = "wrapped", maxAttempts = "9", retryDelay = "1d")
		void wrapped(int number) {
			try {
				assertThat(number).isEqualTo(2);
			}
			catch (AssertionError ex) {
				throw new IllegalStateException("The transaction is rolled back", ex);
			}
		}

		@DelayQueueListener(queue = "stage", maxAttempts = "9", retryDelay = "1d")
		CompletionStage<Void> stage(int number) {
			return CompletableFuture.runAsync(() -> assertThat(number).isEqualTo(2));
		}

	}

}
