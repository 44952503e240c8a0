package io.github.delayqueue;

/**
 * The state of a task. A task is in exactly one of these states, because its state is the
 * index that holds it.
 */
public enum TaskState {

	/** Waiting for its due time, or due and waiting for a consumer. */
	SCHEDULED,

	/** Claimed by a consumer that holds a lease on it. */
	IN_FLIGHT,

	/** Handled, and kept for the retention that is configured for its queue. */
	COMPLETED,

	/** Given up: not delivered again until it is redriven. */
	DEAD

}
