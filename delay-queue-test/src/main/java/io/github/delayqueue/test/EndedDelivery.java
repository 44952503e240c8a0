package io.github.delayqueue.test;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.Names;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;

/**
 * A delivery that has ended in a test.
 *
 * @param outcome how it ended
 * @param at when, by the clock of the test
 * @param task the task as its handler got it, {@code null} if no handler was called: what
 * cannot be read or has expired dies without
 * @param failure what went wrong, {@code null} for a success
 * @param cause what the handler threw or completed its stage with, {@code null} if there
 * is no such exception
 */
public record EndedDelivery(String queue, String taskId, DeliveryOutcome outcome, Instant at,
		@Nullable DelayedTask<?> task, @Nullable TaskFailure failure, @Nullable Throwable cause) {

	/** Number of this attempt, starting at 1; 0 if no handler was called. */
	public int attempt() {
		return (this.task != null) ? this.task.attempt() : 0;
	}

	/** Whether the handler, or what comes before it, failed. */
	public boolean isFailure() {
		return this.outcome == DeliveryOutcome.RETRY || this.outcome == DeliveryOutcome.DEAD
				|| this.outcome == DeliveryOutcome.FAILED;
	}

	/** Without the payload. */
	@Override
	public String toString() {
		return this.queue + "/" + Names.printable(this.taskId)
				+ ((this.task != null) ? ", attempt " + attempt() : ", not handled") + " at " + this.at + ": "
				+ this.outcome + QueueText.failure(this.failure);
	}

}
