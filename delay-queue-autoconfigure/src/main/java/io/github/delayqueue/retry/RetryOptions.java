package io.github.delayqueue.retry;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Retry settings of one level: task, listener, queue or application. A component that is
 * {@code null} is not set on this level. Immutable.
 *
 * @param maxAttempts how often a handler may be called, failures included, before the
 * task dies; at least 1
 * @param delay before the first retry
 * @param multiplier by which each delay is longer than the one before, at least 1; 1 for
 * fixed delays
 * @param increment what is added to the delay with each failure, for linear delays
 * @param maxDelay upper bound of a delay
 * @param jitter up to which fraction of itself a delay is varied, 0 to 1
 * @param delays explicit ladder of delays; the last one is used for all further retries.
 * Jitter and upper bound do not apply to it
 */
public record RetryOptions(@Nullable Integer maxAttempts, @Nullable Duration delay, @Nullable Double multiplier,
		@Nullable Duration increment, @Nullable Duration maxDelay, @Nullable Double jitter,
		@Nullable List<Duration> delays) {

	/** Nothing set. */
	public static final RetryOptions NONE = new RetryOptions(null, null, null, null, null, null, null);

	/**
	 * What holds where nothing is set: 4 attempts, 10 s doubling up to 10 min, 10 %
	 * jitter.
	 */
	public static final RetryOptions DEFAULTS = new RetryOptions(4, Duration.ofSeconds(10), 2.0, Duration.ZERO,
			Duration.ofMinutes(10), 0.1, null);

	public RetryOptions {
		delays = (delays != null && !delays.isEmpty()) ? List.copyOf(delays) : null;
	}

}
