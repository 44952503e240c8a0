package io.github.delayqueue.listener;

import java.time.Instant;

/**
 * The store's time at some instant of the local monotonic clock: lets the store's time be
 * told without asking it, and without comparing the clocks of two machines.
 *
 * @param at the store's time
 * @param nanoTime the local clock when the store's answer had arrived
 */
record StoreTime(Instant at, long nanoTime) {

	Instant now() {
		return this.at.plusNanos(System.nanoTime() - this.nanoTime);
	}

}
