package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;

/**
 * What a listener sets for itself. A component that is {@code null} is not set and comes
 * from {@code delay-queue.queues.<name>.*}, then from {@code delay-queue.*}. Immutable.
 *
 * @param id id of the container; {@code null} for a generated one
 * @param concurrency how many tasks (batches) are handled at a time
 * @param ttr time to run: how long a lease lasts
 * @param renew whether leases are extended while the handler runs
 * @param timeout after what time a handler is interrupted
 * @param shutdownTimeout how long stopping waits for running handlers
 * @param batchSize how many tasks are handed to the handler at a time
 * @param autoStartup whether the container starts with the application
 * @param maxExpiries how many leases a task may lose before it dies
 * @param retry retry settings
 * @param noRetryFor exceptions after which a task dies at once, subclasses included
 * @param redeliveryPolicy replaces {@code retry} altogether
 * @param recurrence when the listener is called with a task of its own, whose id is that
 * of the container, and which is there from when the container has started once;
 * {@code null} for no such task
 */
public record ListenerOptions(@Nullable String id, @Nullable Integer concurrency, @Nullable Duration ttr,
		@Nullable Boolean renew, @Nullable Duration timeout, @Nullable Duration shutdownTimeout,
		@Nullable Integer batchSize, @Nullable Boolean autoStartup, @Nullable Integer maxExpiries, RetryOptions retry,
		List<Class<? extends Throwable>> noRetryFor, @Nullable RedeliveryPolicy redeliveryPolicy,
		@Nullable Recurrence recurrence) {

	public ListenerOptions {
		noRetryFor = List.copyOf(noRetryFor);
	}

	/**
	 * Nothing set.
	 * @return the options
	 */
	public static ListenerOptions defaults() {
		return builder().build();
	}

	/**
	 * Start to build options.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Builds {@link ListenerOptions}. Not thread-safe.
	 */
	public static final class Builder {

		private @Nullable String id;

		private @Nullable Integer concurrency;

		private @Nullable Duration ttr;

		private @Nullable Boolean renew;

		private @Nullable Duration timeout;

		private @Nullable Duration shutdownTimeout;

		private @Nullable Integer batchSize;

		private @Nullable Boolean autoStartup;

		private @Nullable Integer maxExpiries;

		private RetryOptions retry = RetryOptions.NONE;

		private List<Class<? extends Throwable>> noRetryFor = List.of();

		private @Nullable RedeliveryPolicy redeliveryPolicy;

		private @Nullable Recurrence recurrence;

		private Builder() {
		}

		/**
		 * Set the id, by which the registry knows the container.
		 * @param id the id, {@code null} for a generated one
		 * @return this
		 */
		public Builder id(@Nullable String id) {
			this.id = id;
			return this;
		}

		/**
		 * Set how many tasks, or batches, are handled at a time on this instance.
		 * @param concurrency at least 1, {@code null} for that of the queue
		 * @return this
		 */
		public Builder concurrency(@Nullable Integer concurrency) {
			this.concurrency = concurrency;
			return this;
		}

		/**
		 * Set the time to run: how long the lease on a task lasts before another consumer
		 * may take it over.
		 * @param ttr the time, {@code null} for that of the queue
		 * @return this
		 */
		public Builder ttr(@Nullable Duration ttr) {
			this.ttr = ttr;
			return this;
		}

		/**
		 * Set whether leases are extended while the handler runs.
		 * @param renew whether they are, {@code null} for what the queue says
		 * @return this
		 */
		public Builder renew(@Nullable Boolean renew) {
			this.renew = renew;
			return this;
		}

		/**
		 * Set after what time a handler is interrupted, which counts as a failure.
		 * @param timeout the time, {@code null} for that of the queue
		 * @return this
		 */
		public Builder timeout(@Nullable Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * Set how long stopping waits for running handlers.
		 * @param shutdownTimeout the time, {@code null} for that of the queue
		 * @return this
		 */
		public Builder shutdownTimeout(@Nullable Duration shutdownTimeout) {
			this.shutdownTimeout = shutdownTimeout;
			return this;
		}

		/**
		 * Set how many tasks a handler of batches gets at a time, at most.
		 * @param batchSize at least 1, {@code null} for that of the queue
		 * @return this
		 */
		public Builder batchSize(@Nullable Integer batchSize) {
			this.batchSize = batchSize;
			return this;
		}

		/**
		 * Set whether the container starts with the application.
		 * @param autoStartup whether it does, {@code null} for what the queue says
		 * @return this
		 */
		public Builder autoStartup(@Nullable Boolean autoStartup) {
			this.autoStartup = autoStartup;
			return this;
		}

		/**
		 * Set how many leases a task may lose before it is dead.
		 * @param maxExpiries at least 1, {@code null} for that of the queue
		 * @return this
		 */
		public Builder maxExpiries(@Nullable Integer maxExpiries) {
			this.maxExpiries = maxExpiries;
			return this;
		}

		/**
		 * Set when a task whose handler failed is delivered again.
		 * @param retry what is not set in it comes from the queue
		 * @return this
		 */
		public Builder retry(RetryOptions retry) {
			this.retry = retry;
			return this;
		}

		/**
		 * Set the exceptions after which a task is dead at once.
		 * @param noRetryFor the types, subclasses included
		 * @return this
		 */
		public Builder noRetryFor(List<Class<? extends Throwable>> noRetryFor) {
			this.noRetryFor = noRetryFor;
			return this;
		}

		/**
		 * Set a policy of its own in place of all retry settings.
		 * @param redeliveryPolicy the policy, {@code null} for one that follows the
		 * settings
		 * @return this
		 */
		public Builder redeliveryPolicy(@Nullable RedeliveryPolicy redeliveryPolicy) {
			this.redeliveryPolicy = redeliveryPolicy;
			return this;
		}

		/**
		 * Set when the listener is called with a recurring task of its own, which is
		 * there from when the container has started once, and whose id is that of the
		 * container.
		 * @param recurrence when; with a {@linkplain Recurrence#from(Instant) first time}
		 * its steps are counted from that, else from when it is first due. {@code null}
		 * for no such task
		 * @return this
		 */
		public Builder recurrence(@Nullable Recurrence recurrence) {
			this.recurrence = recurrence;
			return this;
		}

		/**
		 * Build the options. Values are checked when a container is registered with them.
		 * @return the options
		 */
		public ListenerOptions build() {
			return new ListenerOptions(this.id, this.concurrency, this.ttr, this.renew, this.timeout,
					this.shutdownTimeout, this.batchSize, this.autoStartup, this.maxExpiries, this.retry,
					this.noRetryFor, this.redeliveryPolicy, this.recurrence);
		}

	}

}
