package io.github.delayqueue.store.memory;

import io.github.delayqueue.limits.RateLimit;

/**
 * Permits of a rate, as the scripts have them: by the time since which they come in, one
 * in each interval. Taking them moves it. All times are in microseconds.
 */
record RatePermits(int tasks, long period) {

	private static final long SAVED = RateLimit.SAVED.toMillis() * 1000;

	static RatePermits of(RateLimit rate) {
		return new RatePermits(rate.tasks(), rate.period().toMillis() * 1000);
	}

	/**
	 * If the time that was noted lies ahead, the clock has been set back: there is one
	 * permit then, so that nothing stands still.
	 */
	long since(long noted, long now) {
		long before = now - microsFor(1);
		return (noted > now) ? before : Math.max(noted, before - SAVED);
	}

	long left(long noted, long now) {
		return (now - since(noted, now)) * this.tasks / this.period;
	}

	/** How long so many take to come in, rounded up. */
	long microsFor(int count) {
		return Math.floorDiv(count * this.period + this.tasks - 1, (long) this.tasks);
	}

}
