package io.github.delayqueue.roles;

import java.time.Duration;

import io.github.delayqueue.Names;

/**
 * A span of time from now on over which tasks fall due evenly, in their order. In
 * milliseconds.
 *
 * @param delay after what time the first one is due
 * @param length how long after that the next one after the last would be
 */
public record DueSpan(Duration delay, Duration length) {

	/** When it ends at the latest, from now. */
	public static final Duration MAX = Duration.ofDays(1);

	/** All now. */
	public static final DueSpan NOW = new DueSpan(Duration.ZERO, Duration.ZERO);

	public DueSpan {
		if (delay.isNegative() || length.isNegative() || delay.compareTo(MAX) > 0 || length.compareTo(MAX) > 0
				|| delay.plus(length).compareTo(MAX) > 0) {
			throw new IllegalArgumentException(
					"Within 0 to 24 hours, not " + Names.printable(length) + " from " + Names.printable(delay) + " on");
		}
	}

	/** After how many milliseconds a task is due, by its place among so many, from 0. */
	public long millis(int index, int count) {
		return this.delay.toMillis() + this.length.toMillis() * index / count;
	}

}
