package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The time at which rows are written.
 *
 * @param micros microseconds since the epoch: the generation of what is new
 * @param millis milliseconds since the epoch
 */
record Stamp(long micros, long millis) {

	static Stamp of(Clock clock) {
		long micros = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
		return new Stamp(micros, Math.floorDiv(micros, 1000));
	}

}
