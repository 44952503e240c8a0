package io.github.delayqueue.test;

import java.time.Instant;
import java.util.Objects;

import io.github.delayqueue.DelayedTask;

/** Assertions about a task that has been handled. */
public final class HandledTaskAssert extends AbstractTaskAssert<HandledTaskAssert, EndedDelivery> {

	HandledTaskAssert(EndedDelivery delivery, DelayQueueAssert queue) {
		super(delivery, HandledTaskAssert.class, queue, delivery.taskId(), () -> {
			DelayedTask<?> task = Objects.requireNonNull(delivery.task(),
					"what is handled has been given to a handler");
			return queue.queue().access().json(task.payload());
		});
	}

	/** It took so many attempts, the one that succeeded included. */
	public HandledTaskAssert afterAttempts(int attempts) {
		require("attempts", attempts, this.actual.attempt());
		return this;
	}

	/** It was handled at an instant, by the clock of the test. */
	public HandledTaskAssert at(Instant instant) {
		require("time of handling", instant, this.actual.at());
		return this;
	}

}
