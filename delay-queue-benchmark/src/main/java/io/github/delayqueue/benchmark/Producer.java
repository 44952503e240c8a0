package io.github.delayqueue.benchmark;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Enqueues tasks. Thread-safe. What a system does not have, see
 * {@link SystemType#calls()}, is not called.
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
	default void scheduleAll(List<BenchTask> tasks) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Schedule one task without waiting.
	 * @param task the task
	 * @return done when the system has accepted it
	 */
	default CompletionStage<?> scheduleAsync(BenchTask task) {
		throw new UnsupportedOperationException();
	}

}
