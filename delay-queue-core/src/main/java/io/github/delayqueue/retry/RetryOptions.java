package io.github.delayqueue.retry;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.InvalidOptionException;

/**
 * Retry settings of one level: task, listener, queue or application. A component that is
 * {@code null} is not set on this level. Immutable.
 * <p>
 * Within a level, {@code delays} replaces everything else that shapes delays, and
 * {@code multiplier} and {@code increment} exclude each other: setting one makes the
 * other neutral where it is not set. See {@link #withDefaults(RetryOptions)} for how
 * levels combine.
 *
 * @param maxAttempts how often a handler may be called, failures included, before the
 * task dies; at least 1. If it is not set and {@code delays} are: one more than there are
 * of them
 * @param delay before the first retry. From the 100th failure on, whatever is set, a
 * delay is at least a second: a handler that fails at once does not keep Redis busy
 * @param multiplier by which each delay is longer than the one before, at least 1; 1 for
 * fixed delays
 * @param increment added to the delay with each failure, for linear delays
 * @param maxDelay upper bound of a delay
 * @param jitter up to which fraction of itself a delay is varied, 0 to 1
 * @param delays explicit retry delays, at most 100; the last one is used for all further
 * retries. Jitter and upper bound do not apply to it
 * @param delayAfterFalse before a retry that a handler asked for without an exception: it
 * returned {@code false}, or {@code TaskResult.retry()}; as after an exception if it is
 * not set. Does not grow, and nothing else applies to it
 * @param attemptsWithoutLadder what {@code maxAttempts} would be if a higher level
 * removed the retry delays. Results from combining levels, never given
 */
public record RetryOptions(@Nullable Integer maxAttempts, @Nullable Duration delay, @Nullable Double multiplier,
		@Nullable Duration increment, @Nullable Duration maxDelay, @Nullable Double jitter,
		@Nullable List<Duration> delays, @Nullable Duration delayAfterFalse, @Nullable Integer attemptsWithoutLadder) {

	/** Largest number of explicit retry delays. */
	public static final int MAX_DELAYS = 100;

	/** Nothing set. */
	public static final RetryOptions NONE = new RetryOptions(null, null, null, null, null, null, null);

	/**
	 * The defaults: 10 attempts, 10 s doubling up to an hour, 10 % jitter. So a task
	 * survives about 85 minutes of failures.
	 */
	public static final RetryOptions DEFAULTS = new RetryOptions(10, Duration.ofSeconds(10), 2.0, Duration.ZERO,
			Duration.ofHours(1), 0.1, null);

	public RetryOptions {
		delays = (delays != null && !delays.isEmpty()) ? List.copyOf(delays) : null;
		if (maxAttempts == null && delays != null) {
			maxAttempts = delays.size() + 1;
		}
		if (multiplier == null && increment != null && !increment.isZero()) {
			multiplier = 1.0;
		}
		if (increment == null && multiplier != null) {
			increment = Duration.ZERO;
		}
	}

	/**
	 * The settings of one level.
	 * @param delays empty is the same as {@code null}
	 */
	public RetryOptions(@Nullable Integer maxAttempts, @Nullable Duration delay, @Nullable Double multiplier,
			@Nullable Duration increment, @Nullable Duration maxDelay, @Nullable Double jitter,
			@Nullable List<Duration> delays, @Nullable Duration delayAfterFalse) {
		this(maxAttempts, delay, multiplier, increment, maxDelay, jitter, delays, delayAfterFalse, maxAttempts);
	}

	/** The settings of one level, without a delay of their own after {@code false}. */
	public RetryOptions(@Nullable Integer maxAttempts, @Nullable Duration delay, @Nullable Double multiplier,
			@Nullable Duration increment, @Nullable Duration maxDelay, @Nullable Double jitter,
			@Nullable List<Duration> delays) {
		this(maxAttempts, delay, multiplier, increment, maxDelay, jitter, delays, null, maxAttempts);
	}

	/**
	 * Combine this level with the one below it. Settings that are missing here come from
	 * there, with three exceptions that keep a level's intention whole:
	 * <ul>
	 * <li>A level that sets {@code delays} and not {@code maxAttempts} allows one attempt
	 * more than it has delays, whatever lower levels say of {@code maxAttempts}.</li>
	 * <li>A level that shapes delays in any other way removes the retry delays of lower
	 * levels, and the number of attempts that resulted from them.</li>
	 * <li>A {@code delay} is not cut short by the {@code maxDelay} of a lower level: it
	 * raises that bound to itself.</li>
	 * </ul>
	 * Several levels may be combined from either end.
	 * @param lower the level below, itself combined or not
	 * @return the settings of both
	 */
	public RetryOptions withDefaults(RetryOptions lower) {
		Integer withoutLadder = orElse(this.attemptsWithoutLadder, lower.attemptsWithoutLadder);
		boolean ownLadder = this.delays != null;
		boolean lowerLadder = !ownLadder && !shapesDelays();
		Integer attempts = (ownLadder || lowerLadder) ? orElse(this.maxAttempts, lower.maxAttempts) : withoutLadder;
		return new RetryOptions(attempts, orElse(this.delay, lower.delay), orElse(this.multiplier, lower.multiplier),
				orElse(this.increment, lower.increment), orElse(this.maxDelay, boundOf(lower)),
				orElse(this.jitter, lower.jitter), lowerLadder ? lower.delays : this.delays,
				orElse(this.delayAfterFalse, lower.delayAfterFalse), withoutLadder);
	}

	private @Nullable Duration boundOf(RetryOptions lower) {
		boolean raised = this.delay != null && lower.maxDelay != null && this.delay.compareTo(lower.maxDelay) > 0;
		return raised ? this.delay : lower.maxDelay;
	}

	private boolean shapesDelays() {
		return this.delay != null || this.multiplier != null || this.increment != null || this.maxDelay != null
				|| this.jitter != null;
	}

	private static <T> @Nullable T orElse(@Nullable T value, @Nullable T other) {
		return (value != null) ? value : other;
	}

	/**
	 * Check that every value that is set is possible.
	 * @return these options
	 * @throws InvalidOptionException naming the first setting that is not
	 */
	public RetryOptions validate() {
		check("max-attempts", this.maxAttempts, (attempts) -> attempts >= 1, "at least 1");
		check("delay", this.delay, (time) -> !time.isNegative(), "zero or longer");
		check("multiplier", this.multiplier, (factor) -> factor >= 1 && Double.isFinite(factor), "at least 1");
		check("increment", this.increment, (time) -> !time.isNegative(), "zero or longer");
		check("increment", this.increment, (time) -> time.isZero() || this.multiplier == null || this.multiplier == 1,
				"zero if there is a multiplier (" + this.multiplier + "): remove one of the two");
		check("max-delay", this.maxDelay, (time) -> !time.isNegative(), "zero or longer");
		check("jitter", this.jitter, (part) -> part >= 0 && part <= 1, "between 0 and 1");
		check("delay-after-false", this.delayAfterFalse, (time) -> !time.isNegative(), "zero or longer");
		if (this.delays != null) {
			check("delays", this.delays.size() + " delays", (rungs) -> this.delays.size() <= MAX_DELAYS,
					"at most " + MAX_DELAYS + " of them");
			this.delays.forEach((rung) -> check("delays", rung, (time) -> !time.isNegative(), "zero or longer, each"));
		}
		return this;
	}

	private static <T> void check(String name, @Nullable T value, Predicate<T> possible, String rule) {
		if (value != null && !possible.test(value)) {
			throw new InvalidOptionException("retry." + name, value, "it must be " + rule);
		}
	}

	/**
	 * The policy that these options describe. Missing settings are taken from
	 * {@link #DEFAULTS}.
	 * @param noRetryFor exceptions, subclasses included, after which a task dies at once,
	 * as it does after a {@link io.github.delayqueue.NonRetryable}
	 * @return the policy; equal to that of equal options
	 */
	public RedeliveryPolicy toPolicy(List<Class<? extends Throwable>> noRetryFor) {
		RetryOptions all = withDefaults(DEFAULTS);
		int attempts = Objects.requireNonNull(all.maxAttempts);
		if (all.delays != null) {
			return new StandardRedeliveryPolicy(attempts, all.delays, null, all.delayAfterFalse, noRetryFor);
		}
		return new StandardRedeliveryPolicy(attempts, List.of(),
				new StandardRedeliveryPolicy.GrowingDelays(Objects.requireNonNull(all.delay),
						Objects.requireNonNull(all.multiplier), Objects.requireNonNull(all.increment),
						Objects.requireNonNull(all.maxDelay), Objects.requireNonNull(all.jitter)),
				all.delayAfterFalse, noRetryFor);
	}

}
