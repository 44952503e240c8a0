package io.github.delayqueue.migration;

import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.DueTime;

/**
 * How something that delays is laid out in Redis: places, in the order in which they are
 * to be emptied, and how to unpack an entry that is not due.
 */
record Source(String name, List<Place> places, long millisPerScore, UnaryOperator<byte[]> unpack) {

	/** Without lists of what has its due time elsewhere, and is there as well. */
	List<Place> countedPlaces() {
		return this.places.stream().filter((place) -> place.sorted() || place.due()).toList();
	}

	/** The instant that a score stands for, never earlier, from 1970 to the year 9999. */
	Instant dueAt(double score) {
		// within the bounds of a long whatever it is
		long millis = (long) Math.ceil(score * this.millisPerScore);
		return Instant.ofEpochMilli(Math.max(0, Math.min(millis, DueTime.MAX_EPOCH_MILLIS)));
	}

	/** Reads a number as Redis writes it, possibly infinite. */
	static double score(String text) {
		return Double.parseDouble(text.replace("inf", "Infinity"));
	}

	/**
	 * A list or a sorted set: the key that is walked along, whether its entries are due
	 * and have lost their due times, and the keys that they are taken from.
	 */
	record Place(String walked, boolean sorted, boolean due, List<String> takenFrom) {

	}

}
