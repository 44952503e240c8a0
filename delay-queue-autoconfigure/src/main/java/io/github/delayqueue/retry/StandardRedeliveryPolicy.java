package io.github.delayqueue.retry;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;

/**
 * The policy that {@link RetryOptions} describe.
 *
 * @param maxAttempts how often a handler may be called
 * @param delays delays between attempts
 * @param noRetryFor exceptions after which there is no retry
 */
record StandardRedeliveryPolicy(int maxAttempts, Delays delays,
		List<Class<? extends Throwable>> noRetryFor) implements RedeliveryPolicy {

	StandardRedeliveryPolicy {
		noRetryFor = List.copyOf(noRetryFor);
	}

	@Override
	public @Nullable Duration nextDelay(int failures, @Nullable Throwable cause) {
		if (failures >= this.maxAttempts || !Causes.isRetryable(cause, this.noRetryFor)) {
			return null;
		}
		return this.delays.after(Math.max(1, failures));
	}

	static StandardRedeliveryPolicy of(RetryOptions options, List<Class<? extends Throwable>> noRetryFor) {
		int maxAttempts = Objects.requireNonNull(options.maxAttempts());
		List<Duration> rungs = options.delays();
		return new StandardRedeliveryPolicy(maxAttempts, (rungs != null) ? new LadderDelays(rungs) : growing(options),
				noRetryFor);
	}

	static StandardRedeliveryPolicy checked(RetryOptions options) {
		return of(options.validate(UnaryOperator.identity()), List.of());
	}

	static StandardRedeliveryPolicy ladder(List<Duration> rungs) {
		if (rungs.isEmpty()) {
			throw new DelayQueueException(null, null, "A ladder of delays needs at least one");
		}
		return checked(new RetryOptions(null, null, null, null, null, null, rungs));
	}

	private static GrowingDelays growing(RetryOptions options) {
		return new GrowingDelays(Objects.requireNonNull(options.delay()), Objects.requireNonNull(options.multiplier()),
				Objects.requireNonNull(options.increment()), Objects.requireNonNull(options.maxDelay()),
				Objects.requireNonNull(options.jitter()));
	}

	/** As it stands in the log. */
	@Override
	public String toString() {
		return (this.maxAttempts == 1) ? "1 attempt" : this.maxAttempts + " attempts, " + this.delays;
	}

}
