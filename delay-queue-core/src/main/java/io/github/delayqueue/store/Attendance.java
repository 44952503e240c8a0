package io.github.delayqueue.store;

import java.time.Duration;

/**
 * The trace that an instance of an application has left in the store.
 *
 * @param instance its id
 * @param age how long ago it left it, by the store's clock
 * @param trace what it said of itself
 */
public record Attendance(String instance, Duration age, String trace) {

	/** For how long a trace is kept. */
	public static final Duration KEPT = Duration.ofDays(7);

	/** How many are kept at most: the latest. */
	public static final int MAX = 500;

}
