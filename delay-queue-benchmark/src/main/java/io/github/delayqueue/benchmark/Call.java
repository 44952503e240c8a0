package io.github.delayqueue.benchmark;

/**
 * The ways to enqueue that a system may have.
 */
public enum Call {

	/** {@link Producer#schedule(BenchTask)}. */
	ONE,

	/** {@link Producer#scheduleAll(java.util.List)}. */
	BULK,

	/** {@link Producer#scheduleAsync(BenchTask)}. */
	ASYNC

}
