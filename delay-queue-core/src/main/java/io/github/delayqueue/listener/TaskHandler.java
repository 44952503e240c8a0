package io.github.delayqueue.listener;

import io.github.delayqueue.DelayedTask;

/**
 * Handles tasks, one at a time. For handlers registered in code; annotated methods are
 * {@code @DelayQueueListener}. Called on many threads at once.
 *
 * @param <T> type of the payload
 */
@FunctionalInterface
public interface TaskHandler<T> {

	/** Handle a task. To throw is the same as {@link TaskResult#failed(Throwable)}. */
	TaskResult handle(DelayedTask<T> task, TaskContext context) throws Exception;

}
