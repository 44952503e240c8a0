package io.github.delayqueue.benchmark.scale;

/**
 * The calls whose cost is compared.
 */
public enum Operation {

	/** Schedule a task an hour away. */
	ENQUEUE,

	/** Claim a task that is due, and complete it. */
	CLAIM,

	/** Cancel a task. */
	CANCEL,

	/** Read the figures of the queue. */
	STATS

}
