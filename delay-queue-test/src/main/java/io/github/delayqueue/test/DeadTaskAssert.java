package io.github.delayqueue.test;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.producer.TaskDetails;

/** Assertions about a dead letter. */
public final class DeadTaskAssert extends AbstractTaskAssert<DeadTaskAssert, TaskDetails> {

	DeadTaskAssert(TaskDetails task, DelayQueueAssert queue) {
		super(task, DeadTaskAssert.class, queue, task.id(), task::payloadJson);
	}

	public DeadTaskAssert withReason(DeadReason reason) {
		require("reason", reason, (failure() != null) ? failure().reason() : null);
		return this;
	}

	/**
	 * Its last failure has a message: the reason for which its handler dead-lettered it,
	 * or the message of the exception.
	 */
	public DeadTaskAssert withMessageContaining(String text) {
		String message = (failure() != null) ? failure().message() : null;
		if (message == null || !message.contains(text)) {
			throw error("with a message that contains '" + text + "', but it is '" + message + "'");
		}
		return this;
	}

	/** Its handler threw an exception of this class the last time. */
	public DeadTaskAssert withCause(Class<? extends Throwable> type) {
		require("cause", type.getName(), (failure() != null) ? failure().type() : null);
		return this;
	}

	public DeadTaskAssert afterAttempts(int attempts) {
		require("attempts", attempts, this.actual.failures());
		return this;
	}

	private @Nullable TaskFailure failure() {
		return this.actual.lastFailure();
	}

}
