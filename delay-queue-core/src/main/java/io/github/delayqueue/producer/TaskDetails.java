package io.github.delayqueue.producer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.Names;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.store.StoredTask;

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

	/** A task as the store has it. */
	public static TaskDetails of(TaskCodec codec, String queue, StoredTask task) {
		byte[] failure = task.failure();
		return new TaskDetails(queue, task.id(), task.state(), task.dueAt(), task.at(), task.priority(),
				task.failures(), task.leasesLost(), (failure != null) ? FailureJson.readFailure(failure) : null,
				(failure != null) ? FailureJson.readLastRun(failure) : null,
				Content.read(codec, () -> read(codec, queue, task)));
	}

	private static Envelope read(TaskCodec codec, String queue, StoredTask task) {
		if (task.envelope() == null) {
			throw new UnreadableTaskException(queue, task.id(), "it has no record");
		}
		return codec.readEnvelope(task.envelope());
	}

	@Override
	public String toString() {
		return "Task '" + Names.printable(this.id) + "' of queue '" + this.queue + "' (" + this.state + ")";
	}

}
