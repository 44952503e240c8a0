package io.github.delayqueue.annotation;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.retry.RetryOptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link DeadLetterListener} makes of a method.
 */
class DeadLetterListenerTests {

	private static final String LONG = "a-queue-with-a-name-of-116-characters-"
			+ "012345678901234567890123456789012345678901234567890123456789012345678901234567";

	@Test
	void consumesTheDeadLettersOfEachQueueAndIsSetAsAnyListener() {
		try (ListenerTestContext context = ListenerTestContext.of(Attributes.class)) {
			assertThat(context.endpoints()).extracting(DelayQueueListenerEndpoint::queue)
				.containsExactly("orders:dead-letters", "invoices:dead-letters");
			DelayQueueListenerEndpoint endpoint = context.endpoints().get(0);
			assertThat(endpoint).returns("letters", DelayQueueListenerEndpoint::id)
				.returns("orders", DelayQueueListenerEndpoint::deadLettersOf)
				.returns(String.class, DelayQueueListenerEndpoint::payloadType);
			assertThat(endpoint.options().own()).returns(2, (own) -> own.concurrency())
				.returns(Duration.ofSeconds(7), (own) -> own.leaseDuration())
				.returns(Duration.ofMinutes(2), (own) -> own.handlerTimeout())
				.returns(false, (own) -> own.autoStartup())
				.returns(new RetryOptions(3, Duration.ofSeconds(1), 1.0, Duration.ofSeconds(2), Duration.ofSeconds(9),
						0.5, List.of(Duration.ofSeconds(4)), Duration.ofSeconds(6)), (own) -> own.retry())
				.returns(List.of(IllegalStateException.class), (own) -> own.noRetryFor());
		}
	}

	@Test
	void ordinaryListenerMovesNothingAndTakesAFailureAsItsPayload() {
		try (ListenerTestContext context = ListenerTestContext.of(Ordinary.class)) {
			assertThat(context.endpoint()).returns(null, DelayQueueListenerEndpoint::deadLettersOf)
				.returns("orders:dead-letters", DelayQueueListenerEndpoint::queue)
				.returns(TaskFailure.class, DelayQueueListenerEndpoint::payloadType);
		}
	}

	@Test
	void nameThatLeavesNoRoomForThatOfTheDeadLettersIsRefused() {
		assertThat(LONG).hasSize(116);
		assertThat(ListenerTestContext.failureOf(TooLong.class))
			.hasMessageStartingWith("@DeadLetterListener method " + TooLong.class.getName() + ".handle(String)")
			.hasMessageContaining("'" + LONG + "', whose name is too long for that");
	}

	@Test
	void batchHasNoSingleFailureAndNoMethodHasTwo() {
		assertThat(ListenerTestContext.failureOf(Batch.class)).hasMessageContaining("is for one task");
		assertThat(ListenerTestContext.failureOf(Twice.class)).hasMessageContaining("more than one parameter for the");
	}

	@Test
	void deadLettersDoNotRecur() {
		assertThat(ListenerTestContext.failureOf(Recurring.class))
			.hasMessageContaining("handles dead letters, and has 'every' or 'cron'");
	}

	static class Recurring {

		@DelayQueueListener(queue = "orders", every = "1h", deadLetters = true)
		void handle() {
		}

	}

	static class Attributes {

		@DeadLetterListener(queue = "orders, invoices", id = "letters", concurrency = "2", leaseDuration = "7s",
				handlerTimeout = "2m", autoStartup = "false", maxAttempts = "3", retryDelay = "1s",
				retryMultiplier = "1", retryIncrement = "2s", retryMaxDelay = "9s", retryJitter = "0.5",
				retryDelays = "4s", retryDelayAfterFalse = "6s", noRetryFor = IllegalStateException.class)
		void handle(String payload, TaskFailure failure, TaskContext context) {
		}

	}

	static class Ordinary {

		@DelayQueueListener("orders:dead-letters")
		void handle(TaskFailure failure) {
		}

	}

	static class TooLong {

		@DeadLetterListener(LONG)
		void handle(String payload) {
		}

	}

	static class Batch {

		@DeadLetterListener("orders")
		void handle(List<DelayedTask<String>> tasks, TaskFailure failure) {
		}

	}

	static class Twice {

		@DeadLetterListener("orders")
		void handle(TaskFailure failure, TaskFailure other) {
		}

	}

}
