package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;

import io.github.delayqueue.store.Generation;

/**
 * The time at which rows are written.
 *
 * @param micros microseconds since the epoch: the generation of what is new
 * @param millis milliseconds since the epoch
 * @param checks when loaders look at rows
 */
record Stamp(long micros, long millis, CheckTimes checks) {

	/**
	 * The time now.
	 * @param clock the clock
	 * @param above a generation that what is written has to be above, -1 for none: in it
	 * a clock may have been ahead of this one
	 * @param checks when loaders look at rows
	 * @return the time, with a later generation if need be
	 */
	static Stamp of(Clock clock, long above, CheckTimes checks) {
		Instant now = clock.instant();
		return new Stamp(Generation.next(above, now), now.toEpochMilli(), checks);
	}

	/**
	 * When a loader looks at what is written now.
	 * @param entry what is written
	 * @return the time in milliseconds since the epoch
	 */
	long checkMillis(Entry entry) {
		return this.checks.written(entry.dueMillis(), this.millis);
	}

}
