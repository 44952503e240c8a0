package io.github.delayqueue.producer;

import java.util.ArrayList;
import java.util.List;

import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Tasks of one queue that are sent in one call: not more than a call takes, and not more
 * bytes than do its latency good.
 */
final class Batch {

	static final long MAX_BYTES = 4 * 1024 * 1024;

	private final int most;

	private final List<NewTask> tasks = new ArrayList<>();

	private long bytes;

	/** Of as many tasks as a call takes. */
	Batch() {
		this(TaskStore.MAX_BATCH);
	}

	/**
	 * Of fewer tasks.
	 * @param most how many at most, up to {@link TaskStore#MAX_BATCH}
	 */
	Batch(int most) {
		this.most = most;
	}

	/**
	 * Add a task if there is room. A task of any size has room in an empty batch.
	 * @return whether it was added
	 */
	boolean add(EncodedTask task) {
		boolean full = this.tasks.size() >= this.most || this.bytes + task.bytes() > MAX_BYTES;
		if (full && !this.tasks.isEmpty()) {
			return false;
		}
		this.tasks.add(task.task());
		this.bytes += task.bytes();
		return true;
	}

	/**
	 * Whether nobody knows the ids yet.
	 * @return whether all of them were generated
	 */
	boolean isAllGenerated() {
		return this.tasks.stream().allMatch(NewTask::generated);
	}

	List<NewTask> tasks() {
		return this.tasks;
	}

}
