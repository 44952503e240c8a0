package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;

/**
 * @param envelope its content without a generation, {@code null} where it was not asked
 * for
 * @param checkMillis when a loader is to look at it
 */
record Row(String taskId, long generation, long dueMillis, TaskPriority priority, byte @Nullable [] envelope,
		boolean dead, byte @Nullable [] failure, long checkMillis) {

	/** -1 for a task without one. */
	static long generation(StoredTask task) {
		return (task.envelope() != null) ? Generation.of(task.envelope()).orElse(-1) : -1;
	}

	Key key() {
		return new Key(this.taskId, this.generation);
	}

	/** The store keeps what it has of this or a later generation. */
	NewTask toHandOver(Instant now) {
		byte[] task = Objects.requireNonNull(this.envelope);
		return new NewTask(this.taskId, Generation.mark(task, this.generation), due(task, now), this.priority,
				Replacement.NEWER, false);
	}

	/**
	 * Instants are by the store's clock, as are runs of recurring tasks; of a delay there
	 * is what is left. Of what was in the store before it is not known which it is, and
	 * neither may be early.
	 */
	private DueTime due(byte[] task, Instant now) {
		Instant due = Instant.ofEpochMilli(this.dueMillis);
		return (CheckTimes.isInstant(this.checkMillis) || TaskCodec.isRecurring(task)) ? DueTime.at(due)
				: DueTime.in(Duration.between(now, due)).notBefore(due);
	}

	Row withGeneration(long other) {
		return new Row(this.taskId, other, this.dueMillis, this.priority, this.envelope, this.dead, this.failure,
				this.checkMillis);
	}

}
