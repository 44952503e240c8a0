package io.github.delayqueue.roles;

import io.github.delayqueue.store.DueTime;

/** When a task is due, for those who store tasks without a script. */
public final class DueMillis {

	private DueMillis() {
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
