package io.github.delayqueue.store.memory;

import java.time.Duration;

/** What a part of the terms of a claim does here, as its script does in Redis. */
interface Gate {

	/** How many tasks may be taken now, or fewer than one. */
	long left(ClaimedQueue queue);

	/** A claim has taken tasks. */
	default void take(ClaimedQueue queue, int count) {
	}

	/**
	 * After what time another claim is worth making.
	 * @param took whether this one has taken anything
	 * @param wakeIn the same if this was not there
	 */
	Duration wakeIn(ClaimedQueue queue, boolean took, Duration wakeIn);

	/** A queue that is claimed from. */
	interface ClaimedQueue {

		/** The time, in microseconds since the epoch. */
		long micros();

		/** How many tasks have a lease that has not run out. */
		long inFlight();

		/**
		 * Let the next delivery that ends wake the consumers.
		 * @return after what time a lease runs out, at most a day
		 */
		Duration waitForDelivery();

		/** The number that the part has noted before, at first zero. Only one does. */
		long noted();

		void note(long value);

	}

}
