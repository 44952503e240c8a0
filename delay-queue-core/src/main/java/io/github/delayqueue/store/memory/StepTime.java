package io.github.delayqueue.store.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.delayqueue.store.DueTime;

/**
 * What the store's clock shows during one step.
 *
 * @param micros microseconds since the epoch
 */
record StepTime(long micros) {

	static StepTime of(Clock clock) {
		Instant now = clock.instant();
		return new StepTime(now.getEpochSecond() * 1_000_000 + now.getNano() / 1000);
	}

	/** What due times and deadlines are compared with: rounded down. */
	long millis() {
		return Math.floorDiv(this.micros, 1000);
	}

	/** Counted from the epoch. */
	long hour() {
		return Math.floorDiv(this.micros, Duration.ofHours(1).toNanos() / 1000);
	}

	/** When a lease that begins now ends: no later than the year 9999. */
	long millisAfter(Duration duration) {
		return Math.min(millis() + roundedUp(duration), DueTime.MAX_EPOCH_MILLIS);
	}

	long millisBefore(Duration duration) {
		return millis() - roundedUp(duration);
	}

	Duration until(long epochMillis) {
		return Duration.of(Math.max(0, epochMillis * 1000 - this.micros), ChronoUnit.MICROS);
	}

	Duration since(long epochMillis) {
		return Duration.of(this.micros - epochMillis * 1000, ChronoUnit.MICROS);
	}

	Instant instant() {
		return Instant.EPOCH.plus(this.micros, ChronoUnit.MICROS);
	}

	private static long roundedUp(Duration duration) {
		return DueTime.in(duration).millis();
	}

}
