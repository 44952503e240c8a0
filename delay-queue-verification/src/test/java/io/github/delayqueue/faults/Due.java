package io.github.delayqueue.faults;

import java.time.Duration;
import java.time.Instant;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

/**
 * When a task is to be due: after a delay, or at a time. As text {@code +<ms>} or
 * {@code @<ms since the epoch>}.
 *
 * @param relative whether it is a delay
 * @param millis the delay, or the time since the epoch
 */
record Due(boolean relative, long millis) {

	static Due in(long millis) {
		return new Due(true, millis);
	}

	static Due at(long millis) {
		return new Due(false, millis);
	}

	static Due parse(String text) {
		return new Due(text.charAt(0) == '+', Long.parseLong(text.substring(1)));
	}

	TaskRequest.Builder apply(TaskRequest.Builder request) {
		return this.relative ? request.delay(Duration.ofMillis(this.millis))
				: request.dueAt(Instant.ofEpochMilli(this.millis));
	}

	boolean reschedule(DelayQueueOperations operations, String queue, String id) {
		return this.relative ? operations.reschedule(queue, id, Duration.ofMillis(this.millis))
				: operations.reschedule(queue, id, Instant.ofEpochMilli(this.millis));
	}

	@Override
	public String toString() {
		return (this.relative ? "+" : "@") + this.millis;
	}

}
