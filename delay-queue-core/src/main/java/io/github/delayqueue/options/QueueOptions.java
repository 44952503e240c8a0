package io.github.delayqueue.options;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.RateLimit;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.TaskStore;

/**
 * Options of a queue and its listeners: all that the properties
 * {@code delay-queue.queues.<name>.*} can set, and of those the ones that
 * {@code @DelayQueueListener} and listeners in code can set. Each level sets what it
 * wants, and is laid {@linkplain #withDefaults(QueueOptions) over} the one below: the
 * listener over its queue, that over the application, that over {@link #DEFAULTS}.
 * Options that a level leaves out return their default. No value is impossible.
 * Immutable.
 */
public final class QueueOptions {

	/** Shortest time to run. */
	public static final Duration MIN_TTR = Option.MIN_TTR;

	/** Far beyond what makes sense, and fit for arithmetic with nanoseconds. */
	public static final Duration MAX_DURATION = Option.MAX_DURATION;

	/** The defaults. */
	public static final QueueOptions DEFAULTS = builder().autoStartup(true)
		.concurrency(8)
		.ttr(Duration.ofSeconds(30))
		.renew(true)
		.timeout(Duration.ofHours(1))
		.shutdownTimeout(Duration.ofSeconds(25))
		.batchSize(1)
		.logFailures(FailureLogging.FULL)
		.maxLeaseLosses(5)
		.retry(RetryOptions.DEFAULTS)
		.pollInterval(Duration.ofSeconds(1))
		.claimLimit(TaskStore.MAX_BATCH)
		.completedRetention(Duration.ZERO)
		.partitions(1)
		.maxPayloadSize(DataSize.ofMegabytes(1))
		.minReplicas(0)
		.journal(false)
		.afterCommit(false)
		.build();

	private final Map<Option, Object> values;

	private final RedeliveryPolicy policy;

	QueueOptions(Map<Option, Object> values) {
		this.values = values;
		RedeliveryPolicy own = own(Option.REDELIVERY_POLICY);
		RetryOptions retry = own(Option.RETRY);
		this.policy = (own != null) ? own : ((retry != null) ? retry : RetryOptions.NONE).toPolicy(noRetryFor());
	}

	/** The options of a builder. */
	public static QueueOptions of(ListenerOptionsBuilder<?> builder) {
		return new QueueOptions(builder.values());
	}

	/** Start to build options, of which none is set. */
	public static Builder builder() {
		return new Builder();
	}

	/** Start to build options that differ from these. */
	public Builder toBuilder() {
		Builder builder = new Builder();
		this.values.forEach(builder::set);
		return builder;
	}

	/**
	 * Lay these options over those of the level below. {@code retry} is combined as
	 * {@link RetryOptions#withDefaults(RetryOptions)} says.
	 * @param lower the level below
	 * @return the options of both
	 */
	public QueueOptions withDefaults(QueueOptions lower) {
		Map<Option, Object> both = new EnumMap<>(lower.values);
		RetryOptions retry = own(Option.RETRY);
		RetryOptions lowerRetry = lower.own(Option.RETRY);
		if (retry != null) {
			both.remove(Option.REDELIVERY_POLICY);
		}
		both.putAll(this.values);
		if (retry != null && lowerRetry != null) {
			both.put(Option.RETRY, retry.withDefaults(lowerRetry));
		}
		return new QueueOptions(both);
	}

	/**
	 * As {@link #withDefaults(QueueOptions)}, for the options of a queue, which have to
	 * fit each other.
	 * @param lower the level below
	 * @return the options of both
	 * @throws InvalidOptionException if they do not; it names what is set here
	 */
	public QueueOptions completedBy(QueueOptions lower) {
		QueueOptions all = withDefaults(lower);
		int partitions = all.partitions();
		Long deadMaxSize = all.own(Option.DEAD_MAX_SIZE);
		FlowLimits limits = all.limits();
		requireFit(all.batchSize() <= all.claimLimit(), all, Option.CLAIM_LIMIT, Option.BATCH_SIZE, Option.BATCH_SIZE,
				"no claim could fill a batch");
		requireFit(deadMaxSize == null || deadMaxSize >= partitions, all, Option.DEAD_MAX_SIZE, Option.PARTITIONS,
				Option.DEAD_MAX_SIZE, "each partition keeps at least one");
		requireFit(limits.inFlight() == null || limits.inFlight() >= partitions, all, Option.GLOBAL_CONCURRENCY,
				Option.PARTITIONS, Option.GLOBAL_CONCURRENCY, "each partition gets its share of it");
		requireFit(limits.rate() == null || limits.rate().tasks() >= partitions, all, Option.RATE_LIMIT,
				Option.PARTITIONS, Option.RATE_LIMIT, "each partition gets its share of it");
		return all;
	}

	private void requireFit(boolean fit, QueueOptions all, Option larger, Option smaller, Option blamed, String why) {
		if (!fit) {
			Option wrong = this.values.containsKey(blamed) ? blamed : (blamed == larger) ? smaller : larger;
			Option other = (wrong == larger) ? smaller : larger;
			throw new InvalidOptionException(wrong.toString(), all.get(wrong), "it must be at "
					+ ((wrong == larger) ? "least " : "most ") + other + ", which is " + all.get(other) + ": " + why);
		}
	}

	public boolean autoStartup() {
		return get(Option.AUTO_STARTUP);
	}

	public int concurrency() {
		return get(Option.CONCURRENCY);
	}

	public Duration ttr() {
		return get(Option.TTR);
	}

	public boolean renew() {
		return get(Option.RENEW);
	}

	public Duration timeout() {
		return get(Option.TIMEOUT);
	}

	public Duration shutdownTimeout() {
		return get(Option.SHUTDOWN_TIMEOUT);
	}

	public int batchSize() {
		return get(Option.BATCH_SIZE);
	}

	/** How many tasks can be in handlers of a listener at a time. */
	public int slots() {
		return concurrency() * batchSize();
	}

	public FailureLogging logFailures() {
		return get(Option.LOG_FAILURES);
	}

	public int maxLeaseLosses() {
		return get(Option.MAX_LEASE_LOSSES);
	}

	public RetryOptions retry() {
		return get(Option.RETRY);
	}

	public List<Class<? extends Throwable>> noRetryFor() {
		List<Class<? extends Throwable>> noRetryFor = own(Option.NO_RETRY_FOR);
		return (noRetryFor != null) ? noRetryFor : List.of();
	}

	/** The policy that was set, or else that of {@link #retry()}. */
	public RedeliveryPolicy policy() {
		return this.policy;
	}

	/**
	 * The policy for a task, which may have retry settings of its own.
	 * @param task what the task sets for itself
	 */
	public RedeliveryPolicy policy(TaskOptions task) {
		if (task.maxAttempts() == null && task.retryDelays() == null) {
			return this.policy;
		}
		return new RetryOptions(task.maxAttempts(), null, null, null, null, null, task.retryDelays())
			.withDefaults(retry())
			.toPolicy(noRetryFor());
	}

	public Duration pollInterval() {
		return get(Option.POLL_INTERVAL);
	}

	public int claimLimit() {
		return get(Option.CLAIM_LIMIT);
	}

	public @Nullable Duration expiresAfter() {
		return own(Option.EXPIRES_AFTER);
	}

	public Retention retention() {
		return new Retention(get(Option.COMPLETED_RETENTION), own(Option.DEAD_RETENTION), own(Option.DEAD_MAX_SIZE));
	}

	public FlowLimits limits() {
		return new FlowLimits(own(Option.RATE_LIMIT), own(Option.GLOBAL_CONCURRENCY));
	}

	public int partitions() {
		return get(Option.PARTITIONS);
	}

	public long maxPayloadBytes() {
		DataSize size = get(Option.MAX_PAYLOAD_SIZE);
		return size.toBytes();
	}

	public int minReplicas() {
		return get(Option.MIN_REPLICAS);
	}

	public boolean journal() {
		return get(Option.JOURNAL);
	}

	/** Whether tasks wait for a commit. A queue with a journal has no need of that. */
	public boolean afterCommit() {
		return !journal() && this.<Boolean>get(Option.AFTER_COMMIT);
	}

	/** The possible ttr that is nearest to that of a task, which is unchecked. */
	public static Duration boundTtr(Duration ttr) {
		return (ttr.compareTo(MIN_TTR) < 0) ? MIN_TTR : (ttr.compareTo(MAX_DURATION) > 0) ? MAX_DURATION : ttr;
	}

	private <T> T get(Option option) {
		T value = own(option);
		return (value != null) ? value : Objects.requireNonNull(DEFAULTS.own(option));
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable T own(Option option) {
		return (T) this.values.get(option);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof QueueOptions options && this.values.equals(options.values);
	}

	@Override
	public int hashCode() {
		return this.values.hashCode();
	}

	/** The options that are set, by the names of the properties. */
	@Override
	public String toString() {
		return this.values.toString();
	}

	/**
	 * Builds {@link QueueOptions}. Not thread-safe.
	 */
	public static final class Builder extends ListenerOptionsBuilder<Builder> {

		private Builder() {
		}

		/**
		 * How long a container waits at most between claims: longer than zero, by default
		 * a second.
		 */
		public Builder pollInterval(@Nullable Duration pollInterval) {
			return set(Option.POLL_INTERVAL, pollInterval);
		}

		/** How many tasks a claim takes at most: 1 to 500, by default 500. */
		public Builder claimLimit(@Nullable Integer claimLimit) {
			return set(Option.CLAIM_LIMIT, claimLimit);
		}

		/**
		 * When a task is overdue by so much that it dies instead of running: longer than
		 * zero, by default never.
		 */
		public Builder expiresAfter(@Nullable Duration expiresAfter) {
			return set(Option.EXPIRES_AFTER, expiresAfter);
		}

		/**
		 * How many partitions the queue has, which stays so until it is forgotten. 1 to
		 * 256, by default 1.
		 */
		public Builder partitions(@Nullable Integer partitions) {
			return set(Option.PARTITIONS, partitions);
		}

		/** How many tasks all instances may take in a time, by default any number. */
		public Builder rateLimit(@Nullable RateLimit rateLimit) {
			return set(Option.RATE_LIMIT, rateLimit);
		}

		/** How many tasks may be in flight in all instances, by default any number. */
		public Builder globalConcurrency(@Nullable Integer globalConcurrency) {
			return set(Option.GLOBAL_CONCURRENCY, globalConcurrency);
		}

		/** For how long handled tasks are kept: zero or longer, by default zero. */
		public Builder completedRetention(@Nullable Duration retention) {
			return set(Option.COMPLETED_RETENTION, retention);
		}

		/** For how long dead tasks are kept: longer than zero, by default forever. */
		public Builder deadLetterRetention(@Nullable Duration retention) {
			return set(Option.DEAD_RETENTION, retention);
		}

		/** How many dead tasks are kept, at least one a partition; by default all. */
		public Builder deadLetterMaxSize(@Nullable Long maxSize) {
			return set(Option.DEAD_MAX_SIZE, maxSize);
		}

		/** How large a payload may be as JSON in UTF-8, by default a megabyte. */
		public Builder maxPayloadSize(@Nullable DataSize maxPayloadSize) {
			return set(Option.MAX_PAYLOAD_SIZE, maxPayloadSize);
		}

		/** How many replicas must have a task before scheduling returns, by default 0. */
		public Builder minReplicas(@Nullable Integer minReplicas) {
			return set(Option.MIN_REPLICAS, minReplicas);
		}

		/** Whether the database of the application keeps the tasks, by default not. */
		public Builder journal(@Nullable Boolean journal) {
			return set(Option.JOURNAL, journal);
		}

		/**
		 * Whether tasks are scheduled after the commit of a transaction, if there is no
		 * journal. By default {@code false}: at once.
		 */
		public Builder afterCommit(@Nullable Boolean afterCommit) {
			return set(Option.AFTER_COMMIT, afterCommit);
		}

		/** The options. */
		public QueueOptions build() {
			return of(this);
		}

	}

}
