package io.github.delayqueue.faults;

/**
 * How a handling ended, as the handler itself wrote down.
 */
enum HandlerOutcome {

	/** Succeeded. */
	OK,

	/** Threw, asked for a retry, or gave up. */
	FAILED,

	/** Was interrupted: because of its time-out, or because the application ended. */
	INTERRUPTED,

	/** Ended its process. */
	HALTED

}
