package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;

/**
 * When a task is due: after a delay by the store's clock, or at an instant, or when both
 * have come. Rounded up to the millisecond and limited to the end of the year 9999; what
 * lies in the past is due now.
 *
 * @param relative whether {@code millis} counts from the store's now
 * @param millis milliseconds from now, or since the epoch
 * @param earliestMillis of a task that is due after a delay, when it is due at the
 * earliest by the store's clock, in milliseconds since the epoch
 */
public record DueTime(boolean relative, long millis, long earliestMillis) {

	/** The latest due time, in milliseconds since the epoch. */
	public static final long MAX_EPOCH_MILLIS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

	public DueTime {
		millis = Math.max(0, Math.min(millis, MAX_EPOCH_MILLIS));
		earliestMillis = relative ? Math.max(0, Math.min(earliestMillis, MAX_EPOCH_MILLIS)) : 0;
	}

	/** A due time that is either a delay or an instant. */
	public DueTime(boolean relative, long millis) {
		this(relative, millis, 0);
	}

	/** Due after a delay, now if it is zero or negative. */
	public static DueTime in(Duration delay) {
		return new DueTime(true, ceilMillis(delay.getSeconds(), delay.getNano()));
	}

	/** Due at an instant. */
	public static DueTime at(Instant instant) {
		return new DueTime(false, ceilMillis(instant.getEpochSecond(), instant.getNano()));
	}

	/** The same after a delay, but not before an instant either. */
	public DueTime notBefore(Instant instant) {
		return new DueTime(this.relative, this.millis, at(instant).millis);
	}

	private static long ceilMillis(long seconds, int nanos) {
		if (seconds < 0) {
			return 0;
		}
		long limit = MAX_EPOCH_MILLIS / 1000 + 1;
		return Math.min(seconds, limit) * 1000 + (nanos + 999_999) / 1_000_000;
	}

}
