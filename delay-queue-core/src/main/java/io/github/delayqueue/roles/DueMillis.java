package io.github.delayqueue.roles;

import java.time.Instant;

import io.github.delayqueue.store.DueTime;

/** Times as milliseconds since the epoch, for those who store tasks or look at them. */
public final class DueMillis {

	/** Scores of Redis are exact up to here. */
	private static final Instant LATEST = Instant.ofEpochMilli(1L << 53);

	private DueMillis() {
	}

	/** In milliseconds since the epoch, later ones as the latest that there can be. */
	public static long bounded(Instant time) {
		return (time.isBefore(LATEST) ? time : LATEST).toEpochMilli();
	}

	/** In milliseconds since the epoch, for a clock that shows so many microseconds. */
	public static long of(DueTime due, long nowMicros) {
		long floor = Math.floorDiv(nowMicros, 1000);
		if (!due.relative()) {
			return Math.max(due.millis(), floor);
		}
		return Math.max((due.millis() == 0) ? floor : after(nowMicros, due.millis()), due.earliestMillis());
	}

	private static long after(long nowMicros, long millis) {
		return Math.min(Math.floorDiv(nowMicros + 999, 1000) + millis, DueTime.MAX_EPOCH_MILLIS);
	}

}
