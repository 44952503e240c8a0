package io.github.delayqueue.listener;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The store's time at some instant of the local monotonic clock: lets the store's time be
 * told without asking it, and without comparing the clocks of two machines.
 *
 * @param at the store's time
 * @param nanoTime the local clock when the store's answer had arrived; {@code null} where
 * the store's clock stands still until somebody turns it
 */
record StoreTime(Instant at, @Nullable Long nanoTime) {

	Instant now() {
		return (this.nanoTime != null) ? this.at.plusNanos(System.nanoTime() - this.nanoTime) : this.at;
	}

}
