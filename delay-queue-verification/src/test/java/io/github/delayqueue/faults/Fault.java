package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.Random;

/**
 * Does something bad.
 */
@FunctionalInterface
interface Fault {

	/**
	 * Do it.
	 * @param random decides whom it hits, and for how long
	 * @return what was done
	 */
	Inflicted inflict(Random random);

	/**
	 * What was done.
	 *
	 * @param target the process or slot it hits, or {@link #EVERYBODY}
	 * @param hold for how long to leave it so
	 * @param undo ends it, and waits until what was hit works again
	 */
	record Inflicted(String target, Duration hold, Runnable undo) {

		static final String EVERYBODY = "*";

	}

	/**
	 * A duration by chance.
	 * @param random the chance
	 * @param from the shortest, in milliseconds
	 * @param to the longest, in milliseconds
	 * @return the duration
	 */
	static Duration between(Random random, int from, int to) {
		return Duration.ofMillis(from + random.nextInt(to - from));
	}

}
