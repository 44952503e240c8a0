package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.delayqueue.Names;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.producer.TaskDetails;

/** Assertions about a scheduled task. */
public final class ScheduledTaskAssert extends AbstractTaskAssert<ScheduledTaskAssert, TaskDetails> {

	ScheduledTaskAssert(TaskDetails task, DelayQueueAssert queue) {
		super(task, ScheduledTaskAssert.class, queue, task.id(), task::payloadJson);
	}

	/**
	 * It is due that much later than the clock shows, in milliseconds, rounded up.
	 * @param delay the time until it is due, negative if it is overdue
	 */
	public ScheduledTaskAssert dueIn(Duration delay) {
		Duration left = Duration.between(now(), dueAt());
		if (!dueAt().equals(roundedUp(now().plus(bounded(delay))))) {
			throw error("due in " + Names.printable(delay) + ", but it is due in " + Names.printable(left));
		}
		return this;
	}

	/**
	 * It is due about that much later than the clock shows. For applications that compute
	 * due times by a clock of their own, which goes on.
	 * @param delay the time until it is due
	 * @param tolerance by how much that may be wrong
	 */
	public ScheduledTaskAssert dueIn(Duration delay, Duration tolerance) {
		Duration left = Duration.between(now(), dueAt());
		if (left.minus(bounded(delay)).abs().compareTo(tolerance) > 0) {
			throw error("due in " + Names.printable(delay) + ", give or take " + Names.printable(tolerance)
					+ ", but it is due in " + Names.printable(left));
		}
		return this;
	}

	/** It is due at an instant, in milliseconds, rounded up. */
	public ScheduledTaskAssert dueAt(Instant instant) {
		require("due time", roundedUp(instant), dueAt());
		return this;
	}

	public ScheduledTaskAssert withPriority(TaskPriority priority) {
		require("priority", priority, this.actual.priority());
		return this;
	}

	public ScheduledTaskAssert withHeader(String name, String value) {
		require("header '" + name + "'", value, this.actual.headers().get(name));
		return this;
	}

	/** Its handler has failed so often, and it is to be retried. */
	public ScheduledTaskAssert afterFailures(int failures) {
		require("failures", failures, this.actual.failures());
		return this;
	}

	private Instant now() {
		return access().clock().instant();
	}

	private Instant dueAt() {
		return Objects.requireNonNull(this.actual.dueAt(), "a scheduled task has a due time");
	}

	/** No task is due so late, or so early, that it matters. */
	private static Duration bounded(Duration delay) {
		Duration most = Duration.ofDays(10_000 * 366);
		return (delay.compareTo(most) > 0) ? most : (delay.compareTo(most.negated()) < 0) ? most.negated() : delay;
	}

	private static Instant roundedUp(Instant instant) {
		Instant millis = Instant.ofEpochMilli(instant.toEpochMilli());
		return millis.isBefore(instant) ? millis.plusMillis(1) : millis;
	}

}
