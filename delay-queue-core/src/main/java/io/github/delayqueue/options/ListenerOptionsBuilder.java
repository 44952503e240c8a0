package io.github.delayqueue.options;

import java.time.Duration;
import java.util.LinkedHashMap;
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

	private final Map<Option<?>, Object> values = new LinkedHashMap<>();

	protected ListenerOptionsBuilder() {
	}

	/** Whether containers start with the application, by default {@code true}. */
	public B autoStartup(@Nullable Boolean autoStartup) {
		return with(OptionTable.AUTO_STARTUP, autoStartup);
	}

	/**
	 * How many tasks, or batches, an instance handles at a time: 1 to 10000, by default
	 * 8.
	 */
	public B concurrency(@Nullable Integer concurrency) {
		return with(OptionTable.CONCURRENCY, concurrency);
	}

	/**
	 * How long the lease on a task lasts before another consumer may take it over. At
	 * least 100 ms, by default 30 seconds.
	 */
	public B leaseDuration(@Nullable Duration leaseDuration) {
		return with(OptionTable.LEASE_DURATION, leaseDuration);
	}

	/** Whether leases are extended while the handler runs, by default {@code true}. */
	public B autoRenewLease(@Nullable Boolean autoRenewLease) {
		return with(OptionTable.AUTO_RENEW_LEASE, autoRenewLease);
	}

	/**
	 * When a handler is interrupted, which counts as a failure: by default after an hour.
	 */
	public B handlerTimeout(@Nullable Duration handlerTimeout) {
		return with(OptionTable.HANDLER_TIMEOUT, handlerTimeout);
	}

	/** How long stopping waits for running handlers: by default 25 seconds. */
	public B shutdownTimeout(@Nullable Duration shutdownTimeout) {
		return with(OptionTable.SHUTDOWN_TIMEOUT, shutdownTimeout);
	}

	/** How many tasks a handler of batches gets at most: 1 to 500, by default 1. */
	public B batchSize(@Nullable Integer batchSize) {
		return with(OptionTable.BATCH_SIZE, batchSize);
	}

	/** How a handler's exception is logged: by default {@link FailureLogging#FULL}. */
	public B logFailures(@Nullable FailureLogging logFailures) {
		return with(OptionTable.LOG_FAILURES, logFailures);
	}

	/** How many leases a task may lose before it is dead: at least 1, by default 5. */
	public B maxLeaseLosses(@Nullable Integer maxLeaseLosses) {
		return with(OptionTable.MAX_LEASE_LOSSES, maxLeaseLosses);
	}

	/**
	 * When a task whose handler failed is delivered again. Options that it does not set
	 * come from the next lower level.
	 */
	public B retry(RetryOptions retry) {
		return set(OptionTable.RETRY, retry.equals(RetryOptions.NONE) ? null : retry.validate());
	}

	/**
	 * Exceptions, with their subclasses, after which a task is dead at once; none by
	 * default.
	 */
	public B noRetryFor(List<Class<? extends Throwable>> noRetryFor) {
		return set(OptionTable.NO_RETRY_FOR, noRetryFor.isEmpty() ? null : List.copyOf(noRetryFor));
	}

	/**
	 * A policy in place of the retry settings of this level and of lower ones. Delays
	 * that a task has of its own replace it; a number of attempts only bounds it.
	 */
	public B redeliveryPolicy(@Nullable RedeliveryPolicy redeliveryPolicy) {
		return with(OptionTable.REDELIVERY_POLICY, redeliveryPolicy);
	}

	/**
	 * Set an option that a feature has declared.
	 * @param value its value, {@code null} for that of the next lower level
	 */
	public <T> B with(Option<T> option, @Nullable T value) {
		return set(option, (value != null) ? option.check(value) : null);
	}

	@SuppressWarnings("unchecked")
	B set(Option<?> option, @Nullable Object value) {
		if (value != null) {
			this.values.put(option, value);
		}
		else {
			this.values.remove(option);
		}
		return (B) this;
	}

	/** What is set; settings of the retry that were set one by one are one. */
	Map<Option<?>, Object> values() {
		Map<Option<?>, Object> values = new LinkedHashMap<>(this.values);
		RetryOptions retry = new RetryOptions(take(values, OptionTable.MAX_ATTEMPTS),
				take(values, OptionTable.RETRY_DELAY), take(values, OptionTable.RETRY_MULTIPLIER),
				take(values, OptionTable.RETRY_INCREMENT), take(values, OptionTable.RETRY_MAX_DELAY),
				take(values, OptionTable.RETRY_JITTER), take(values, OptionTable.RETRY_DELAYS),
				take(values, OptionTable.RETRY_DELAY_AFTER_FALSE));
		if (!retry.equals(RetryOptions.NONE)) {
			values.merge(OptionTable.RETRY, retry.validate(),
					(all, own) -> ((RetryOptions) own).withDefaults((RetryOptions) all));
		}
		return values;
	}

	@SuppressWarnings("unchecked")
	private static <T> @Nullable T take(Map<Option<?>, Object> values, Option<T> option) {
		return (T) values.remove(option);
	}

}
