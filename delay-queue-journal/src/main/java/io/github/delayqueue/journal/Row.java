package io.github.delayqueue.journal;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.StoredTask;

/**
 * A row of the table.
 *
 * @param envelope its content without a generation, {@code null} where it was not asked
 * for
 * @param checkMillis when a loader is to look at it, in milliseconds since the epoch
 */
record Row(String taskId, long generation, long dueMillis, TaskPriority priority, byte @Nullable [] envelope,
		boolean dead, byte @Nullable [] failure, long checkMillis) {

	/** Of which generation a task is that a store has, -1 for one without. */
	static long generation(StoredTask task) {
		return (task.envelope() != null) ? Generation.of(task.envelope()).orElse(-1) : -1;
	}

	Key key() {
		return new Key(this.taskId, this.generation);
	}

	/** What the store is given: it keeps what it has of this or a later generation. */
	NewTask toHandOver() {
		return new NewTask(this.taskId, Generation.mark(Objects.requireNonNull(this.envelope), this.generation),
				new DueTime(false, this.dueMillis), this.priority, DuplicatePolicy.NEWER, false);
	}

	Row withGeneration(long other) {
		return new Row(this.taskId, other, this.dueMillis, this.priority, this.envelope, this.dead, this.failure,
				this.checkMillis);
	}

}
