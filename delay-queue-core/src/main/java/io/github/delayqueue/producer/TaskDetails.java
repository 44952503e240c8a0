package io.github.delayqueue.producer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;

/** A task as it was found. A snapshot: thread-safe and not kept up to date. */
public interface TaskDetails extends TaskView {

	/** Its state. */
	TaskState state();

	/**
	 * When it is, or for its last delivery was, due; {@code null} for a dead id without a
	 * record.
	 */
	@Nullable Instant dueAt();

	/**
	 * The time of its state: when it is due (scheduled), when its lease runs out (in
	 * flight), since when it is over (completed, dead).
	 */
	Instant stateAt();

	/** How often its handler has failed. */
	int failures();

	/**
	 * The last failure, {@code null} if there was none; of a recurring task, if no run
	 * has failed since the last one that went well.
	 */
	@Nullable TaskFailure lastFailure();

	/**
	 * Of a recurring task, the last run that went well; {@code null} if there was none
	 * since it was scheduled, if an earlier version has run it since, and of any other
	 * task.
	 */
	@Nullable CompletedRun lastRun();

}
