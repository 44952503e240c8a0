package io.github.delayqueue.store.memory;

import java.util.List;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.TaskStore;

/** Removes tasks that are over. */
record Trimming(TaskTable table, Counters counters) {

	private static final int MAX_ENTRIES = 2 * TaskStore.MAX_BATCH;

	/** Remove what goes beyond a retention, a bounded number of entries of each kind. */
	List<String> trim(Retention retention, StepTime now) {
		remove(TaskState.COMPLETED, now.millisBefore(retention.completed()), MAX_ENTRIES);
		return remove(TaskState.DEAD, TaskTable.NEVER, Math.min(surplus(retention, now), MAX_ENTRIES));
	}

	/** Whether there is more to remove. */
	boolean isLeft(Retention retention, StepTime now) {
		return surplus(retention, now) > 0
				|| this.table.reached(TaskState.COMPLETED, now.millisBefore(retention.completed()), 1).count() > 0;
	}

	private long surplus(Retention retention, StepTime now) {
		long tooOld = (retention.dead() == null) ? 0
				: this.table.reached(TaskState.DEAD, now.millisBefore(retention.dead()), Long.MAX_VALUE).count();
		long tooMany = (retention.deadMaxSize() == null) ? 0
				: this.table.size(TaskState.DEAD) - retention.deadMaxSize();
		return Math.max(tooOld, Math.max(tooMany, 0));
	}

	/** Remove those that have been over for longest. Dead ones count as purged. */
	List<String> remove(TaskState state, long until, long limit) {
		List<String> ids = this.table.reached(state, until, limit).map(TaskEntry::id).toList();
		ids.forEach(this.table::remove);
		if (state == TaskState.DEAD) {
			this.counters.purged += ids.size();
		}
		return ids;
	}

}
