package io.github.delayqueue.histogram;

import java.time.Duration;
import java.util.List;

/**
 * How many handlers began how late, and took how long: so many below each of the
 * {@link #BOUNDS}, and not below the one before; the last number is that of all others.
 */
public record Histograms(List<Long> lateness, List<Long> handling) {

	/** Ascending. */
	public static final List<Duration> BOUNDS = List.of(Duration.ofMillis(10), Duration.ofMillis(30),
			Duration.ofMillis(100), Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofSeconds(3),
			Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMinutes(5));

	/** How many numbers each has. */
	static final int SIZE = BOUNDS.size() + 1;

	/** Which number a time counts to. */
	static int place(Duration time) {
		int place = 0;
		while (place < BOUNDS.size() && BOUNDS.get(place).compareTo(time) <= 0) {
			place++;
		}
		return place;
	}

}
