package io.github.delayqueue.retry;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;

/**
 * The policy that {@link RetryOptions} describe.
 *
 * @param ladder explicit delays, the last one repeated; empty if they grow
 * @param growing {@code null} where there is a ladder
 * @param afterFalse the delay where there is no exception, {@code null} if it is the same
 */
record StandardRedeliveryPolicy(int maxAttempts, List<Duration> ladder, @Nullable GrowingDelays growing,
		@Nullable Duration afterFalse, List<Class<? extends Throwable>> noRetryFor) implements RedeliveryPolicy {

	/** As many failures in a row are no matter of moments any more. */
	private static final int MANY = 100;

	private static final Duration LEAST_AFTER_MANY = Duration.ofSeconds(1);

	StandardRedeliveryPolicy {
		noRetryFor = List.copyOf(noRetryFor);
	}

	@Override
	public @Nullable Duration nextDelay(int failures, @Nullable Throwable cause) {
		if (failures >= this.maxAttempts || !RedeliveryPolicy.isRetryable(cause, this.noRetryFor)) {
			return null;
		}
		int counted = Math.max(1, failures);
		Duration delay = (cause == null && this.afterFalse != null) ? this.afterFalse : (this.growing != null)
				? this.growing.after(counted) : this.ladder.get(Math.min(counted, this.ladder.size()) - 1);
		return (failures >= MANY && delay.compareTo(LEAST_AFTER_MANY) < 0) ? LEAST_AFTER_MANY : delay;
	}

	/** As it stands in the log. */
	@Override
	public String toString() {
		String delays = (this.growing != null) ? this.growing.toString()
				: "after " + this.ladder.stream().map(Names::printable).collect(Collectors.joining(", "));
		String other = (this.afterFalse != null)
				? ", after " + Names.printable(this.afterFalse) + " if it returns false" : "";
		return (this.maxAttempts == 1) ? "1 attempt" : this.maxAttempts + " attempts, " + delays + other;
	}

	/**
	 * Fixed, linear and exponential delays, varied at random and bounded, to the
	 * millisecond.
	 * <p>
	 * Computed from the number of failures alone. Spring's {@code ExponentialBackOff}
	 * yields the same delays where they are not varied, but it is a sequence that has to
	 * be stepped through from the first failure, truncates each step to whole
	 * milliseconds (1 ms times 1.5 never grows), and varies a first delay upward only.
	 *
	 * @param delay before the first retry
	 * @param multiplier by which each delay is longer than the one before
	 * @param increment by what each delay is longer than the one before
	 * @param maxDelay upper bound, also of varied delays
	 * @param jitter up to which fraction of itself a delay is varied
	 */
	record GrowingDelays(Duration delay, double multiplier, Duration increment, Duration maxDelay, double jitter) {

		/** The delay that follows so many failures, at least one. */
		Duration after(int failures) {
			int steps = failures - 1;
			double max = millis(this.maxDelay);
			double grown = millis(this.delay) * factor(steps) + millis(this.increment) * steps;
			double bounded = Math.min(grown, max);
			double lowest = bounded * (1 - this.jitter);
			double highest = Math.min(bounded * (1 + this.jitter), max);
			double varied = lowest + (highest - lowest) * ThreadLocalRandom.current().nextDouble();
			return Duration.ofMillis(Math.round(varied));
		}

		/** At most so large that zero times it is zero, not NaN. */
		private double factor(int steps) {
			return Math.min(Math.pow(this.multiplier, steps), Double.MAX_VALUE);
		}

		/** Unlike {@link Duration#toMillis()} fit for any duration. */
		private static double millis(Duration duration) {
			return duration.getSeconds() * 1e3 + duration.getNano() / 1e6;
		}

		/** As it stands in the log. */
		@Override
		public String toString() {
			String growth = (this.multiplier != 1) ? ", times " + this.multiplier
					: (!this.increment.isZero()) ? ", plus " + Names.printable(this.increment) : "";
			return "after " + Names.printable(this.delay) + growth
					+ (growth.isEmpty() ? "" : " up to " + Names.printable(this.maxDelay));
		}

	}

}
