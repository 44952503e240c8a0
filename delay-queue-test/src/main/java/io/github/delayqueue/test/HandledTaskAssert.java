package io.github.delayqueue.test;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayedTask;

/**
 * Assertions about a task that has been handled.
 */
public final class HandledTaskAssert extends AbstractTaskAssert<HandledTaskAssert, EndedDelivery> {

	HandledTaskAssert(EndedDelivery delivery, DelayQueueAssert queue) {
		super(delivery, HandledTaskAssert.class, queue);
	}

	/**
	 * It took so many attempts.
	 * @param attempts how many, the one that succeeded included
	 * @return this
	 */
	public HandledTaskAssert afterAttempts(int attempts) {
		require("attempts", attempts, this.actual.attempt());
		return this;
	}

	/**
	 * It was handled at an instant, by the clock of the test.
	 * @param instant the instant
	 * @return this
	 */
	public HandledTaskAssert at(Instant instant) {
		require("time of handling", instant, this.actual.at());
		return this;
	}

	@Override
	String taskId() {
		return this.actual.taskId();
	}

	@Override
	@Nullable String payloadJson() {
		DelayedTask<?> task = Objects.requireNonNull(this.actual.task(), "what is handled has been given to a handler");
		return and().queue().access().json().write(task.payload());
	}

}
