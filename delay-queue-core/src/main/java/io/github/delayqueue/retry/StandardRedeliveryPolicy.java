package io.github.delayqueue.retry;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The policy that {@link RetryOptions} describe.
 *
 * @param maxAttempts how often a handler may be called
 * @param delays delays between attempts
 * @param noRetryFor exceptions after which there is no retry
 */
record StandardRedeliveryPolicy(int maxAttempts, RetryDelays delays,
		List<Class<? extends Throwable>> noRetryFor) implements RedeliveryPolicy {

	/** As many failures in a row are no matter of moments any more. */
	private static final int MANY = 100;

	private static final Duration LEAST_AFTER_MANY = Duration.ofSeconds(1);

	StandardRedeliveryPolicy {
		noRetryFor = List.copyOf(noRetryFor);
	}

	@Override
	public @Nullable Duration nextDelay(int failures, @Nullable Throwable cause) {
		if (failures >= this.maxAttempts || !Causes.isRetryable(cause, this.noRetryFor)) {
			return null;
		}
		Duration delay = this.delays.after(Math.max(1, failures));
		return (failures >= MANY && delay.compareTo(LEAST_AFTER_MANY) < 0) ? LEAST_AFTER_MANY : delay;
	}

	/** As it stands in the log. */
	@Override
	public String toString() {
		return (this.maxAttempts == 1) ? "1 attempt" : this.maxAttempts + " attempts, " + this.delays;
	}

}
