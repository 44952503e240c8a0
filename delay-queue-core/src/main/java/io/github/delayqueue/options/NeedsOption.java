package io.github.delayqueue.options;

/**
 * A {@link io.github.delayqueue.store.TaskPart} for tasks of queues that have an option
 * only; with any other, a task is refused. For extension.
 */
public interface NeedsOption {

	/** The option that the queue must have. */
	Option<Boolean> needs();

}
