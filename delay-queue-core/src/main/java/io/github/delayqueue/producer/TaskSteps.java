package io.github.delayqueue.producer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.store.Contents;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/** Does something to many tasks, step by step. */
record TaskSteps(TaskStore store) {

	/** Redriving is a few commands for each task: not too many in one step. */
	private static final int PAGE = 100;

	static int requireLimit(String queue, String name, int value, int min, int max) {
		Names.requireQueue(queue);
		if (value < min || value > max) {
			String rule = (max < Integer.MAX_VALUE) ? min + " to " + max : "at least " + min;
			throw new DelayQueueException(queue, null,
					"Queue '" + queue + "': " + name + " must be " + rule + ", but is " + value);
		}
		return value;
	}

	List<String> cancel(String queue, Collection<String> taskIds) {
		requireLimit(queue, "number of ids", taskIds.size(), 0, TaskStore.MAX_BATCH);
		taskIds.forEach((id) -> Names.requireTaskId(queue, id));
		List<String> cancelled = new ArrayList<>(taskIds.size());
		for (String id : taskIds) {
			if (afterSome(queue, cancelled.size(), "cancelled", () -> this.store.cancel(queue, id))) {
				cancelled.add(id);
			}
		}
		return cancelled;
	}

	long redrive(String queue, @Nullable DeadReason reason, int limit) {
		return each(queue, reason, limit, "redriven",
				(ids) -> Collections.frequency(this.store.control().redrive(queue, ids), true));
	}

	long delete(String queue, DeadReason reason, int limit) {
		return each(queue, reason, limit, "deleted", (ids) -> (int) delete(queue, TaskState.DEAD, ids));
	}

	/**
	 * Go through dead letters.
	 * @param reason what they died of, {@code null} for whatever it was
	 * @param step answers with how many of some it has been done
	 */
	private long each(String queue, @Nullable DeadReason reason, int limit, String done,
			ToIntFunction<List<String>> step) {
		// A task that dies again meanwhile must not be taken in a circle
		long dead = this.store.view().stats(queue).dead();
		long most = Math.min(limit, dead);
		long taken = 0;
		int passedOver = 0;
		// what is taken within a transaction is listed until it commits, and passed over
		while (taken < most && passedOver < dead) {
			int page = (int) Math.min(PAGE, ((reason != null) ? dead : most) - taken);
			int offset = passedOver;
			List<StoredTask> tasks = afterSome(queue, taken, done,
					() -> this.store.view().list(queue, TaskState.DEAD, offset, page, Contents.NONE));
			if (tasks.isEmpty()) {
				break;
			}
			List<String> ids = new ArrayList<>();
			for (StoredTask task : tasks) {
				if (ids.size() < most - taken && (reason == null || reason == reason(task))) {
					ids.add(task.id());
				}
			}
			int some = ids.isEmpty() ? 0 : afterSome(queue, taken, done, () -> step.applyAsInt(ids));
			taken += some;
			passedOver += Math.max(0, tasks.size() - some);
		}
		return taken;
	}

	private static @Nullable DeadReason reason(StoredTask task) {
		TaskFailure failure = (task.failure() != null) ? FailureJson.readFailure(task.failure()) : null;
		return (failure != null) ? failure.reason() : null;
	}

	long delete(String queue, TaskState state, int limit) {
		if (state != TaskState.DEAD && state != TaskState.COMPLETED) {
			throw new DelayQueueException(queue, null, "Queue '" + queue + "': only DEAD and COMPLETED tasks can be"
					+ " deleted, not " + state + " ones; cancel removes a task, clear all of them");
		}
		long deleted = 0;
		while (deleted < limit) {
			int chunk = (int) Math.min(TaskStore.MAX_BATCH, limit - deleted);
			long removed = afterSome(queue, deleted, "deleted", () -> this.store.control().purge(queue, state, chunk));
			deleted += removed;
			if (removed == 0) {
				break;
			}
		}
		return deleted;
	}

	boolean delete(String queue, String taskId) {
		List<String> id = List.of(taskId);
		return delete(queue, TaskState.DEAD, id) > 0 || delete(queue, TaskState.COMPLETED, id) > 0;
	}

	private long delete(String queue, TaskState state, List<String> ids) {
		Map<String, Long> generations = new HashMap<>();
		ids.forEach((id) -> generations.put(id, Generation.MAX));
		return this.store.control().purge(queue, state, generations);
	}

	private static <T> T afterSome(String queue, long tasks, String done, Supplier<T> step) {
		try {
			return step.get();
		}
		catch (RuntimeException ex) {
			throw StoreErrors.withProgress(ex, queue, "after " + tasks + " tasks had been " + done);
		}
	}

}
