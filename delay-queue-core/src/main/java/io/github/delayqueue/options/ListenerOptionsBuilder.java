package io.github.delayqueue.options;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;

/**
 * Sets the options that listeners have, and that queues have for listeners which do not
 * set them. {@code null} is not set: the next lower level counts. Every method refuses a
 * value that is not possible by an {@link io.github.delayqueue.InvalidOptionException}.
 * Not thread-safe.
 *
 * @param <B> type of the builder
 */
public abstract class ListenerOptionsBuilder<B extends ListenerOptionsBuilder<B>> {

	private final EnumMap<Option, Object> values = new EnumMap<>(Option.class);

	protected ListenerOptionsBuilder() {
	}

	/** Whether containers start with the application, by default {@code true}. */
	public B autoStartup(@Nullable Boolean autoStartup) {
		return set(Option.AUTO_STARTUP, autoStartup);
	}

	/**
	 * How many tasks, or batches, an instance handles at a time: 1 to 10000, by default
	 * 8.
	 */
	public B concurrency(@Nullable Integer concurrency) {
		return set(Option.CONCURRENCY, concurrency);
	}

	/**
	 * Time to run: how long the lease on a task lasts before another consumer may take it
	 * over. At least 100 ms, by default 30 seconds.
	 */
	public B ttr(@Nullable Duration ttr) {
		return set(Option.TTR, ttr);
	}

	/** Whether leases are extended while the handler runs, by default {@code true}. */
	public B renew(@Nullable Boolean renew) {
		return set(Option.RENEW, renew);
	}

	/**
	 * When a handler is interrupted, which counts as a failure: by default after an hour.
	 */
	public B timeout(@Nullable Duration timeout) {
		return set(Option.TIMEOUT, timeout);
	}

	/** How long stopping waits for running handlers: by default 25 seconds. */
	public B shutdownTimeout(@Nullable Duration shutdownTimeout) {
		return set(Option.SHUTDOWN_TIMEOUT, shutdownTimeout);
	}

	/** How many tasks a handler of batches gets at most: 1 to 500, by default 1. */
	public B batchSize(@Nullable Integer batchSize) {
		return set(Option.BATCH_SIZE, batchSize);
	}

	/**
	 * How a handler's exception is logged: by default {@link FailureLogging#FULL}.
	 */
	public B logFailures(@Nullable FailureLogging logFailures) {
		return set(Option.LOG_FAILURES, logFailures);
	}

	/** How many leases a task may lose before it is dead: at least 1, by default 5. */
	public B maxLeaseLosses(@Nullable Integer maxLeaseLosses) {
		return set(Option.MAX_LEASE_LOSSES, maxLeaseLosses);
	}

	/**
	 * When a task whose handler failed is delivered again. Options that it does not set
	 * come from the next lower level.
	 */
	public B retry(RetryOptions retry) {
		return set(Option.RETRY, retry.equals(RetryOptions.NONE) ? null : retry.validate());
	}

	/**
	 * Exceptions, with their subclasses, after which a task is dead at once; none by
	 * default.
	 */
	public B noRetryFor(List<Class<? extends Throwable>> noRetryFor) {
		return set(Option.NO_RETRY_FOR, noRetryFor.isEmpty() ? null : List.copyOf(noRetryFor));
	}

	/** A policy in place of the retry settings of this level and of lower ones. */
	public B redeliveryPolicy(@Nullable RedeliveryPolicy redeliveryPolicy) {
		return set(Option.REDELIVERY_POLICY, redeliveryPolicy);
	}

	@SuppressWarnings("unchecked")
	B set(Option option, @Nullable Object value) {
		if (value != null) {
			option.check(value);
			this.values.put(option, value);
		}
		else {
			this.values.remove(option);
		}
		return (B) this;
	}

	Map<Option, Object> values() {
		return new EnumMap<>(this.values);
	}

}
