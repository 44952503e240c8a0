package io.github.delayqueue.journal;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;

/**
 * A row of the table.
 *
 * @param taskId the task's id
 * @param generation its generation
 * @param dueMillis when it is due, in milliseconds since the epoch
 * @param priority its priority
 * @param envelope its content without a generation, {@code null} where it was not asked
 * for
 * @param state where the task is
 * @param failure its last failure, {@code null} if there is none
 */
record Row(String taskId, long generation, long dueMillis, TaskPriority priority, byte @Nullable [] envelope,
		RowState state, byte @Nullable [] failure) {

	Key key() {
		return new Key(this.taskId, this.generation);
	}

}
