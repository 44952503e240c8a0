package io.github.delayqueue.event;

/** How a delivery ended. */
public enum DeliveryOutcome {

	/** Handled. */
	SUCCESS,

	/** To be delivered again. */
	RETRY,

	/** Given up. */
	DEAD,

	/**
	 * A run of a recurring task is given up, as another task would be; the task goes on
	 * at its next time.
	 */
	FAILED,

	/**
	 * Its settlement came too late: the task had been claimed again, replaced or
	 * cancelled.
	 */
	STALE

}
