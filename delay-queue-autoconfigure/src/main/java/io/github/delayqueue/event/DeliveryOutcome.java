package io.github.delayqueue.event;

/**
 * How a delivery ended.
 */
public enum DeliveryOutcome {

	/** Handled. */
	SUCCESS,

	/** To be delivered again. */
	RETRY,

	/** Given up. */
	DEAD,

	/**
	 * Its settlement came too late: the task had been claimed again, replaced or
	 * cancelled.
	 */
	STALE

}
