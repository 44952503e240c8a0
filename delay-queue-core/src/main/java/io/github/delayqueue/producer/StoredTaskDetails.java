package io.github.delayqueue.producer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.Names;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.store.StoredTask;

/** A task as it was found in the store. */
record StoredTaskDetails(String queue, String id, TaskState state, @Nullable Instant dueAt, Instant stateAt,
		TaskPriority priority, int failures, int leasesLost, @Nullable TaskFailure lastFailure,
		@Nullable CompletedRun lastRun, Content content) implements ReadableTask, TaskDetails {

	static StoredTaskDetails of(TaskCodec codec, String queue, StoredTask task) {
		byte[] failure = task.failure();
		return new StoredTaskDetails(queue, task.id(), task.state(), task.dueAt(), task.at(), task.priority(),
				task.failures(), task.leasesLost(), (failure != null) ? codec.readFailure(failure) : null,
				(failure != null) ? codec.readLastRun(failure) : null,
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
