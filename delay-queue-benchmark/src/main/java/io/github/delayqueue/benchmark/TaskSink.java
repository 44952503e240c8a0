package io.github.delayqueue.benchmark;

/**
 * The handler that every system calls for a task that is due: records when, and does
 * nothing, or takes as long as the measure wants. Thread-safe, without locks.
 */
@FunctionalInterface
public interface TaskSink {

	/**
	 * Handle a task. A system acknowledges the task after this has returned, if it
	 * acknowledges at all.
	 * @param payload as it was read from JSON
	 */
	void handle(Payload payload);

}
