package io.github.delayqueue.journal;

import java.time.Clock;

import io.github.delayqueue.store.Generation;

/**
 * The time at which rows are written.
 *
 * @param micros microseconds since the epoch: the generation of what is new
 * @param millis milliseconds since the epoch
 */
record Stamp(long micros, long millis) {

	static Stamp of(Clock clock) {
		long micros = Generation.next(-1, clock.instant());
		return new Stamp(micros, Math.floorDiv(micros, 1000));
	}

}
