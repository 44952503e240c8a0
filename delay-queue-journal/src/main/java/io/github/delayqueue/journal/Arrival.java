package io.github.delayqueue.journal;

import java.time.Instant;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.store.NewTask;

/**
 * A task that a caller wants to have written into the table.
 *
 * @param since when the caller came with it: a delay counts from there, in the table and
 * in the store
 */
record Arrival(NewTask task, Instant since) {

	String taskId() {
		return this.task.id();
	}

	long dueMillis() {
		return this.task.due().resolveMillis(this.since.getEpochSecond() * 1_000_000 + this.since.getNano() / 1000);
	}

	/** Whether the id was made for this task: there is no row to be looked for. */
	boolean isNew() {
		return this.task.generated() && replaces();
	}

	/** Whether it takes the place of a row with the same id, or is rejected for it. */
	boolean replaces() {
		return this.task.onDuplicate() != DuplicatePolicy.REJECT;
	}

	Row toRow(long generation, long checkMillis) {
		return new Row(taskId(), generation, dueMillis(), this.task.priority(), this.task.envelope(), false, null,
				checkMillis);
	}

}
