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
 * @param dead whether the task was given up
 * @param failure its last failure, {@code null} if there is none
 * @param checkMillis when a loader is to look at it, in milliseconds since the epoch
 */
record Row(String taskId, long generation, long dueMillis, TaskPriority priority, byte @Nullable [] envelope,
		boolean dead, byte @Nullable [] failure, long checkMillis) {

	Key key() {
		return new Key(this.taskId, this.generation);
	}

	Row withGeneration(long other) {
		return new Row(this.taskId, other, this.dueMillis, this.priority, this.envelope, this.dead, this.failure,
				this.checkMillis);
	}

}
