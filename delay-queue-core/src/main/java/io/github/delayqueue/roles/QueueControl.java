package io.github.delayqueue.roles;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Steers the queues of a {@link TaskStore}, whose rules for batches, limits and errors
 * hold here, too. Thread-safe.
 */
public interface QueueControl {

	/**
	 * The steering of a store.
	 * @throws UnsupportedOperationException if it has none
	 */
	static QueueControl of(TaskStore store) {
		return store.requireRole(QueueControl.class);
	}

	/**
	 * Make the name of a queue known to {@link QueueView#queues()}. Repeating it is
	 * harmless.
	 */
	void announce(String queue);

	/** Schedule dead letters again, due now. */
	default List<Boolean> redrive(String queue, List<String> taskIds) {
		return redrive(queue, taskIds, DueSpan.NOW);
	}

	/**
	 * Schedule dead letters again, due one after the other, in their old priority, with
	 * counts of zero and their last failure kept.
	 * @param due when, in their order; in a queue of several partitions those of each are
	 * spread over the whole span
	 * @return for each whether it was dead and has a record
	 */
	List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due);

	/**
	 * Forget tasks that are dead or completed, the longest so first.
	 * @param state {@link TaskState#DEAD} or {@link TaskState#COMPLETED}
	 * @return how many
	 */
	long purge(String queue, TaskState state, int limit);

	/** Forget tasks whenever they were over. */
	default long purge(String queue, TaskState state, Map<String, Long> generations) {
		return purge(queue, state, generations, Instant.MAX);
	}

	/**
	 * Forget tasks if they are over in the state that is meant, unless they are newer.
	 * @param state {@link TaskState#DEAD} or {@link TaskState#COMPLETED}
	 * @param generations ids, and for each the highest generation that is forgotten, 0 to
	 * {@link Generation#MAX}. A task without a generation is forgotten as well, one in
	 * another state stays as it is
	 * @param until since when at the latest they have been over, as
	 * {@link StoredTask#at()} says: what has died once more since stays
	 * @return how many have been forgotten
	 * @throws IllegalArgumentException if there are too many, or a generation is not
	 * within its bounds
	 */
	long purge(String queue, TaskState state, Map<String, Long> generations, Instant until);

	/**
	 * Forget all tasks of a queue, in whatever state. Totals and the pause stay.
	 * @return how many tasks were scheduled, in flight or dead
	 */
	long clear(String queue);

	/**
	 * Pause a queue, so that no task of it is claimed, or end the pause. Tasks in flight
	 * go on.
	 */
	void setPaused(String queue, boolean paused);

	/**
	 * Forget a queue without tasks: its name, totals, history, pause and limits. If it is
	 * used again, it begins anew; an instance that has announced it within the last
	 * minute announces it only after that.
	 * @return whether it is forgotten; {@code false} if there are tasks of any state, and
	 * then nothing is changed
	 */
	boolean forget(String queue);

}
