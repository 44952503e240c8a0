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

/**
 * A task as it was found in the store.
 */
final class StoredTaskDetails extends ReadableTask implements TaskDetails {

	private final String queue;

	private final StoredTask task;

	StoredTaskDetails(TaskCodec codec, String queue, StoredTask task) {
		super(codec, () -> read(codec, queue, task));
		this.queue = queue;
		this.task = task;
	}

	private static Envelope read(TaskCodec codec, String queue, StoredTask task) {
		if (task.envelope() == null) {
			throw new UnreadableTaskException(queue, task.id(), "it has no record");
		}
		return codec.readEnvelope(task.envelope());
	}

	@Override
	public String queue() {
		return this.queue;
	}

	@Override
	public String id() {
		return this.task.id();
	}

	@Override
	public TaskState state() {
		return this.task.state();
	}

	@Override
	public @Nullable Instant dueAt() {
		return this.task.dueAt();
	}

	@Override
	public Instant stateAt() {
		return this.task.at();
	}

	@Override
	public TaskPriority priority() {
		return this.task.priority();
	}

	@Override
	public int failures() {
		return this.task.failures();
	}

	@Override
	public int leasesLost() {
		return this.task.leasesLost();
	}

	@Override
	public @Nullable TaskFailure lastFailure() {
		return (this.task.failure() != null) ? this.codec.readFailure(this.task.failure()) : null;
	}

	@Override
	public @Nullable CompletedRun lastRun() {
		return (this.task.failure() != null) ? this.codec.readLastRun(this.task.failure()) : null;
	}

	@Override
	public String toString() {
		return "Task '" + Names.printable(id()) + "' of queue '" + this.queue + "' (" + state() + ")";
	}

}
