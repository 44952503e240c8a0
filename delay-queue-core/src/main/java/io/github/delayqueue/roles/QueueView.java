package io.github.delayqueue.roles;

import java.util.List;
import java.util.Set;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskLookup;
import io.github.delayqueue.store.TaskStore;

/**
 * Shows what is in the queues of a {@link TaskStore}, by the store's clock. Changes
 * nothing. Thread-safe.
 */
public interface QueueView extends TaskLookup {

	/**
	 * The looks of a store.
	 * @throws UnsupportedOperationException if it has none
	 */
	static QueueView of(TaskStore store) {
		return store.requireRole(QueueView.class);
	}

	/** Look at tasks with their envelopes. */
	default List<StoredTask> list(String queue, TaskState state, int offset, int limit) {
		return list(queue, state, offset, limit, Contents.ALL);
	}

	/**
	 * Look at the tasks of one state: scheduled ones by due time and then priority, those
	 * in flight by lease deadline, completed and dead ones by when they became so. Then
	 * by id.
	 * @param contents which envelopes to answer, {@link StoredTask#envelope()} is
	 * {@code null} for the others; and whether only tasks that are due
	 */
	List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents);

	/**
	 * Look through dead letters for what they have died of, a part of them at a time, the
	 * longest dead first. Each that is dead from the first step to the last is looked at
	 * once, whatever has become of others meanwhile.
	 * @return what was found, and where to go on
	 * @throws IllegalArgumentException if the cursor is not one of this store
	 */
	DeadPage dead(String queue, DeadSearch search);

	/** Figures of a queue, all zero if there is none of that name. */
	QueueStats stats(String queue);

	/**
	 * Count what falls due when.
	 * @return the counts, all zero if there is no queue of that name
	 */
	Forecast forecast(String queue, Forecast.Bars bars);

	/**
	 * Read what has happened in a queue in each of the last hours. The time of handlers
	 * counts with the settlements that tell it, by the share of those of a call that is
	 * applied.
	 * @return the history, {@link History#NONE} if there is no queue of that name
	 */
	History history(String queue);

	/**
	 * The queues that have been {@linkplain QueueControl#announce announced}, in
	 * alphabetical order.
	 */
	Set<String> queues();

}
