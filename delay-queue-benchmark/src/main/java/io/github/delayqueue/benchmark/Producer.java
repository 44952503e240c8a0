package io.github.delayqueue.benchmark;

import java.util.List;

/**
 * Enqueues tasks. Thread-safe.
 */
public interface Producer {

	/**
	 * Schedule one task and wait until the system has accepted it.
	 * @param task the task
	 */
	void schedule(BenchTask task);

	/**
	 * Schedule many tasks by one call and wait until the system has accepted them.
	 * @param tasks the tasks, up to 50,000
	 */
	void scheduleAll(List<BenchTask> tasks);

}
