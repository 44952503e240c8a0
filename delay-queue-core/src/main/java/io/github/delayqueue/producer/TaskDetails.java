package io.github.delayqueue.producer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.Names;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

/**
 * A task as it was found. A snapshot: thread-safe and not kept up to date.
 *
 * @param dueAt when it is, or for its last delivery was, due; {@code null} for a dead id
 * without a record
 * @param stateAt the time of its state: when it is due (scheduled), when its lease runs
 * out (in flight), since when it is over (completed, dead)
 * @param failures how often its handler has failed
 * @param lastFailure the last failure, {@code null} if there was none; of a recurring
 * task, if no run has failed since the last one that went well
 * @param lastRun of a recurring task, the last run that went well. {@code null} if there
 * was none since it was scheduled, if an earlier version has run it since, and of any
 * other task
 */
public record TaskDetails(String queue, String id, TaskState state, @Nullable Instant dueAt, Instant stateAt,
		TaskPriority priority, int failures, int leasesLost, @Nullable TaskFailure lastFailure,
		@Nullable CompletedRun lastRun, Content content) implements TaskView {

	@Override
	public String toString() {
		return "Task '" + Names.printable(this.id) + "' of queue '" + this.queue + "' (" + this.state + ")";
	}

}
