package io.github.delayqueue.migration;

import java.time.Instant;

import io.github.delayqueue.store.DueTime;

/**
 * Scores as due times.
 */
final class Scores {

	private Scores() {
	}

	/**
	 * The instant that a score stands for, never earlier than it.
	 * @param score a number as Redis writes it, possibly infinite
	 * @param millisPerScore how many milliseconds one of it is
	 * @return the instant, from 1970 to the end of the year 9999
	 */
	static Instant dueAt(String score, long millisPerScore) {
		double number = switch (score) {
			case "inf" -> Double.POSITIVE_INFINITY;
			case "-inf" -> Double.NEGATIVE_INFINITY;
			default -> Double.parseDouble(score);
		};
		// within the bounds of a long whatever it is
		long millis = (long) Math.ceil(number * millisPerScore);
		return Instant.ofEpochMilli(Math.max(0, Math.min(millis, DueTime.MAX_EPOCH_MILLIS)));
	}

}
