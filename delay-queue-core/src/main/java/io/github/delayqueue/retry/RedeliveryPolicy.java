package io.github.delayqueue.retry;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.NonRetryable;

/**
 * Decides whether and after which delay a task whose handler failed is delivered again. A
 * pure function: implementations hold no state of single tasks and are thread-safe.
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

	/**
	 * Whether a retry may help: {@code false} for a
	 * {@link io.github.delayqueue.NonRetryable} and for the given exceptions, also where
	 * one is wrapped as concurrent and reflective calls do it.
	 * @param cause why a handler failed, {@code null} if it asked for a retry without an
	 * exception
	 * @param noRetryFor exceptions, subclasses included, after which there is no retry
	 * @return whether to ask {@link #nextDelay(int, Throwable)} at all
	 */
	static boolean isRetryable(@Nullable Throwable cause, Collection<Class<? extends Throwable>> noRetryFor) {
		Throwable candidate = cause;
		// causes may form a circle
		for (int i = 0; candidate != null && i < 16; i++) {
			Throwable current = candidate;
			if (current instanceof NonRetryable || noRetryFor.stream().anyMatch((type) -> type.isInstance(current))) {
				return false;
			}
			candidate = isWrapper(current) ? current.getCause() : null;
		}
		return true;
	}

	private static boolean isWrapper(Throwable throwable) {
		return throwable instanceof CompletionException || throwable instanceof ExecutionException
				|| throwable instanceof InvocationTargetException || throwable instanceof UndeclaredThrowableException;
	}

	/**
	 * The same delay before every retry. As with all policies made here, a task also dies
	 * after a {@link io.github.delayqueue.NonRetryable}.
	 * @param delay the delay, zero or longer
	 * @param maxAttempts how often the handler may be called, at least 1
	 * @throws DelayQueueException if a value is not possible
	 */
	static RedeliveryPolicy fixed(Duration delay, int maxAttempts) {
		return new RetryOptions(maxAttempts, delay, 1.0, null, delay, 0.0, null).validate().toPolicy(List.of());
	}

	/**
	 * A delay that grows by the same amount with every failure.
	 * @param delay before the first retry, zero or longer
	 * @param increment what is added with each further failure, zero or longer
	 * @param maxDelay upper bound of the delay
	 * @param maxAttempts how often the handler may be called, at least 1
	 * @throws DelayQueueException if a value is not possible
	 */
	static RedeliveryPolicy linear(Duration delay, Duration increment, Duration maxDelay, int maxAttempts) {
		return new RetryOptions(maxAttempts, delay, 1.0, increment, maxDelay, 0.0, null).validate().toPolicy(List.of());
	}

	/**
	 * A delay that is multiplied with every failure.
	 * @param delay before the first retry, zero or longer
	 * @param multiplier by which each delay is longer than the one before, at least 1
	 * @param maxDelay upper bound of the delay
	 * @param jitter up to which fraction of itself a delay is varied, 0 to 1
	 * @param maxAttempts how often the handler may be called, at least 1
	 * @throws DelayQueueException if a value is not possible
	 */
	static RedeliveryPolicy exponential(Duration delay, double multiplier, Duration maxDelay, double jitter,
			int maxAttempts) {
		return new RetryOptions(maxAttempts, delay, multiplier, null, maxDelay, jitter, null).validate()
			.toPolicy(List.of());
	}

	/**
	 * Explicit delays, one before each retry; there is one attempt more than delays.
	 * @param delays the delays, at least one, each zero or longer
	 * @throws DelayQueueException if a value is not possible
	 */
	static RedeliveryPolicy ladder(Duration... delays) {
		if (delays.length == 0) {
			throw new DelayQueueException(null, null, "Retry delays must not be empty");
		}
		return new RetryOptions(null, null, null, null, null, null, List.of(delays)).validate().toPolicy(List.of());
	}

}
