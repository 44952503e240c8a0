package io.github.delayqueue.producer;

import java.util.Collections;
import java.util.List;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Contents;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Goes through tasks that are over, step by step.
 */
final class DeadLetters {

	/** Redriving is a few commands for each task: not too many in one step. */
	private static final int PAGE = 100;

	private final TaskStore store;

	DeadLetters(TaskStore store) {
		this.store = store;
	}

	long redrive(String queue, int limit) {
		// A task that dies again meanwhile must not be redriven in a circle
		long most = Math.min(limit, this.store.stats(queue).dead());
		long redriven = 0;
		int passedOver = 0;
		while (redriven < most) {
			int page = (int) Math.min(PAGE, most - redriven);
			List<StoredTask> tasks = list(queue, passedOver, page, redriven);
			if (tasks.isEmpty()) {
				break;
			}
			int done = redrive(queue, tasks.stream().map(StoredTask::id).toList(), redriven);
			redriven += done;
			passedOver += tasks.size() - done;
		}
		return redriven;
	}

	private List<StoredTask> list(String queue, int offset, int limit, long redriven) {
		try {
			return this.store.list(queue, TaskState.DEAD, offset, limit, Contents.NONE);
		}
		catch (RuntimeException ex) {
			throw StoreErrors.withProgress(ex, queue, "after " + redriven + " tasks had been redriven");
		}
	}

	private int redrive(String queue, List<String> ids, long redriven) {
		try {
			return Collections.frequency(this.store.redrive(queue, ids), true);
		}
		catch (RuntimeException ex) {
			throw StoreErrors.withProgress(ex, queue, "after " + redriven + " tasks had been redriven");
		}
	}

	long purge(String queue, TaskState state, int limit) {
		if (state != TaskState.DEAD && state != TaskState.COMPLETED) {
			throw new DelayQueueException(queue, null, "Queue '" + queue + "': only DEAD and COMPLETED tasks can be"
					+ " purged, not " + state + " ones; cancel removes a task, clear all of them");
		}
		long purged = 0;
		while (purged < limit) {
			int chunk = (int) Math.min(TaskStore.MAX_BATCH, limit - purged);
			long removed = purge(queue, state, chunk, purged);
			purged += removed;
			if (removed == 0) {
				break;
			}
		}
		return purged;
	}

	private long purge(String queue, TaskState state, int chunk, long purged) {
		try {
			return this.store.purge(queue, state, chunk);
		}
		catch (RuntimeException ex) {
			throw StoreErrors.withProgress(ex, queue, "after " + purged + " tasks had been purged");
		}
	}

}
