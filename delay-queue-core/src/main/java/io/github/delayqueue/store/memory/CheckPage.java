package io.github.delayqueue.store.memory;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.TaskState;

/**
 * A part of a queue to look at. Nothing but the totals can be wrong here: a task is one
 * entry.
 *
 * @param after the id before the first one, {@code null} to begin
 * @param limit how many tasks
 */
record CheckPage(@Nullable String after, int limit) {

	private static final String CURSOR = "after:";

	static CheckPage of(@Nullable String cursor, int limit) {
		if (cursor != null && !cursor.startsWith(CURSOR)) {
			throw new IllegalArgumentException("The cursor is not one that a check has answered");
		}
		return new CheckPage((cursor != null) ? cursor.substring(CURSOR.length()) : null, limit);
	}

	QueueCheck look(TaskTable table, Totals totals) {
		List<String> ids = table.idsAfter(this.after, this.limit + 1);
		int checked = Math.min(ids.size(), this.limit);
		boolean done = ids.size() <= this.limit;
		long accounted = table.size() - table.size(TaskState.COMPLETED) + totals.completed() + totals.cancelled()
				+ totals.replaced() + totals.cleared() + totals.purged();
		long indexed = 0;
		for (TaskState state : TaskState.values()) {
			indexed += table.size(state);
		}
		return new QueueCheck(done ? null : CURSOR + ids.get(checked - 1), checked, List.of(),
				new QueueCheck.Sums(totals.scheduled(), accounted, table.size(), indexed, 0));
	}

}
