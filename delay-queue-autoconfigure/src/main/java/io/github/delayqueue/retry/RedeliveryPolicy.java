package io.github.delayqueue.retry;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Whether and after what delay a task whose handler failed is delivered again. A pure
 * function: implementations hold no state of single tasks and are thread-safe.
 */
@FunctionalInterface
public interface RedeliveryPolicy {

	/**
	 * Decide on the next delivery.
	 * @param failures how often the handler has failed by now, at least 1
	 * @param cause why it failed this time, {@code null} if it asked for a retry without
	 * an exception
	 * @return after what delay to deliver again, {@code null} if the task is to die
	 */
	@Nullable Duration nextDelay(int failures, @Nullable Throwable cause);

	/**
	 * Most attempts that this policy allows.
	 * @return the number, {@link Integer#MAX_VALUE} if there is no bound known beforehand
	 */
	default int maxAttempts() {
		return Integer.MAX_VALUE;
	}

}
