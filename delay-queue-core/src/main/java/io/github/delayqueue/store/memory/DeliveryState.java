package io.github.delayqueue.store.memory;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the deliveries of a task that has been claimed.
 *
 * @param due when the last delivery was due, in milliseconds since the epoch
 * @param token token of the claim that holds the task, {@code null} unless it is in
 * flight
 */
record DeliveryState(int failures, int leasesLost, long due, @Nullable String token) {

	/** Of a task that has not been claimed, or is as if it had not been. */
	static final DeliveryState NONE = new DeliveryState(0, 0, 0, null);

	DeliveryState ended(boolean countFailure) {
		return new DeliveryState(countFailure ? this.failures + 1 : this.failures, this.leasesLost, this.due, null);
	}

	/** For the next run; if the handler has answered, lost leases are forgotten. */
	DeliveryState skipped(boolean answered) {
		return new DeliveryState(0, answered ? 0 : this.leasesLost, this.due, null);
	}

	boolean isUncharged() {
		return this.failures == 0 && this.leasesLost == 0;
	}

}
