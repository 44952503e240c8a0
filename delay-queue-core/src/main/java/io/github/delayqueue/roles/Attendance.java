package io.github.delayqueue.roles;

import java.time.Duration;
import java.time.Instant;

/**
 * The trace that an instance of an application has left in the store.
 *
 * @param instance its id
 * @param at when it left it, by the store's clock
 * @param age how long ago that was, by the same clock
 * @param trace what it said of itself
 */
public record Attendance(String instance, Instant at, Duration age, String trace) {

	/** For how long a trace is kept. */
	public static final Duration KEPT = Duration.ofDays(7);

	/** How many are kept at most: the latest. */
	public static final int MAX = 500;

}
