package io.github.delayqueue.journal;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;

/**
 * A task to be written into the table.
 *
 * @param envelope its content, without a generation
 * @param onDuplicate what to do if there is a row with this id:
 * {@link DuplicatePolicy#REJECT} leaves it, everything else replaces it
 * @param generated whether the id was made for this task: there is no row to be looked
 * for
 */
record Entry(String taskId, byte[] envelope, long dueMillis, TaskPriority priority, DuplicatePolicy onDuplicate,
		boolean generated) {

	Row toRow(long generation, long checkMillis) {
		return new Row(this.taskId, generation, this.dueMillis, this.priority, this.envelope, false, null, checkMillis);
	}

	boolean replaces() {
		return this.generated || this.onDuplicate != DuplicatePolicy.REJECT;
	}

}
