package io.github.delayqueue.options;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.ClaimPart;

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

	/** Far beyond what makes sense, and fit for arithmetic with nanoseconds. */
	public static final Duration MAX_DURATION = OptionTable.MAX_DURATION;

	public static final QueueOptions DEFAULTS = defaultsOf(OptionTable.all());

	private final Map<Option<?>, Object> values;

	private final RedeliveryPolicy policy;

	QueueOptions(Map<Option<?>, Object> values) {
		this.values = values;
		RedeliveryPolicy own = own(OptionTable.REDELIVERY_POLICY);
		this.policy = (own != null) ? own : retry().toPolicy(noRetryFor());
	}

	/** The defaults of options, as far as there are any. */
	public static QueueOptions defaultsOf(List<Option<?>> options) {
		Builder builder = builder();
		options.forEach((option) -> builder.set(option, option.byDefault()));
		return builder.build();
	}

	/**
	 * Read options, as properties and annotations have them.
	 * @param options the options that may be set
	 * @param values gives what is written for an option, {@code null} for nothing
	 * @throws InvalidOptionException if a value is not possible
	 */
	public static QueueOptions read(List<Option<?>> options, Function<Option<?>, @Nullable Object> values) {
		Builder builder = builder();
		options.forEach((option) -> builder.set(option, option.read(values.apply(option))));
		return builder.build();
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
	 */
	public QueueOptions withDefaults(QueueOptions lower) {
		Map<Option<?>, Object> both = new LinkedHashMap<>(lower.values);
		RetryOptions retry = own(OptionTable.RETRY);
		RetryOptions lowerRetry = lower.own(OptionTable.RETRY);
		if (retry != null) {
			both.remove(OptionTable.REDELIVERY_POLICY);
		}
		both.putAll(this.values);
		if (retry != null && lowerRetry != null) {
			both.put(OptionTable.RETRY, retry.withDefaults(lowerRetry));
		}
		return new QueueOptions(both);
	}

	/** The value of an option that is set, or else the default, which there must be. */
	public <T> T get(Option<T> option) {
		T value = own(option);
		return (value != null) ? value : Objects.requireNonNull(option.byDefault());
	}

	public boolean autoStartup() {
		return get(OptionTable.AUTO_STARTUP);
	}

	public int concurrency() {
		return get(OptionTable.CONCURRENCY);
	}

	public Duration leaseDuration() {
		return get(OptionTable.LEASE_DURATION);
	}

	public boolean autoRenewLease() {
		return get(OptionTable.AUTO_RENEW_LEASE);
	}

	public Duration handlerTimeout() {
		return get(OptionTable.HANDLER_TIMEOUT);
	}

	public Duration shutdownTimeout() {
		return get(OptionTable.SHUTDOWN_TIMEOUT);
	}

	public int batchSize() {
		return get(OptionTable.BATCH_SIZE);
	}

	/** How many tasks can be in handlers of a listener at a time. */
	public int slots() {
		return concurrency() * batchSize();
	}

	public FailureLogging logFailures() {
		return get(OptionTable.LOG_FAILURES);
	}

	public int maxLeaseLosses() {
		return get(OptionTable.MAX_LEASE_LOSSES);
	}

	public RetryOptions retry() {
		return get(OptionTable.RETRY);
	}

	public List<Class<? extends Throwable>> noRetryFor() {
		return get(OptionTable.NO_RETRY_FOR);
	}

	/** The policy that was set, or else that of {@link #retry()}. */
	public RedeliveryPolicy policy() {
		return this.policy;
	}

	/**
	 * The policy for a task, which may have retry settings of its own. Of a policy that
	 * was set, a number of attempts keeps the delays.
	 */
	public RedeliveryPolicy policy(TaskOptions task) {
		Integer attempts = task.maxAttempts();
		if (task.retryDelays() == null && (attempts == null || own(OptionTable.REDELIVERY_POLICY) != null)) {
			return (attempts == null) ? this.policy
					: new BoundedPolicy(this.policy, Math.min(attempts, this.policy.maxAttempts()));
		}
		return new RetryOptions(attempts, null, null, null, null, null, task.retryDelays()).withDefaults(retry())
			.toPolicy(noRetryFor());
	}

	public Duration pollInterval() {
		return get(OptionTable.POLL_INTERVAL);
	}

	public int prefetch() {
		return get(OptionTable.PREFETCH);
	}

	public @Nullable Duration expiresAfter() {
		return own(OptionTable.EXPIRES_AFTER);
	}

	/** Values that claims have to keep to, by their names. */
	public List<ClaimPart> claimParts() {
		List<ClaimPart> parts = new ArrayList<>();
		this.values.forEach((option, value) -> {
			if (value instanceof ClaimPart part && option.toString().replace('-', '_').equals(part.name())) {
				parts.add(part);
			}
		});
		parts.sort(Comparator.comparing(ClaimPart::name));
		return parts;
	}

	public long maxPayloadBytes() {
		return get(OptionTable.MAX_PAYLOAD_SIZE).toBytes();
	}

	public boolean journal() {
		return get(OptionTable.JOURNAL);
	}

	/** Whether tasks wait for a commit. A queue with a journal has no need of that. */
	public boolean afterCommit() {
		return !journal() && get(OptionTable.AFTER_COMMIT);
	}

	/**
	 * The possible lease duration that is nearest to that of a task, which is unchecked.
	 */
	public static Duration boundLeaseDuration(Duration leaseDuration) {
		return (leaseDuration.compareTo(OptionTable.MIN_LEASE_DURATION) < 0) ? OptionTable.MIN_LEASE_DURATION
				: (leaseDuration.compareTo(MAX_DURATION) > 0) ? MAX_DURATION : leaseDuration;
	}

	/** The value that this level sets, {@code null} if it leaves the option out. */
	@SuppressWarnings("unchecked")
	public <T> @Nullable T own(Option<T> option) {
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

	/** Builds {@link QueueOptions}. Not thread-safe. */
	public static final class Builder extends ListenerOptionsBuilder<Builder> {

		private Builder() {
		}

		/**
		 * How long a container waits at most between claims: longer than zero, by default
		 * a second.
		 */
		public Builder pollInterval(@Nullable Duration pollInterval) {
			return with(OptionTable.POLL_INTERVAL, pollInterval);
		}

		/** How many tasks a claim takes at most: 1 to 500, by default 500. */
		public Builder prefetch(@Nullable Integer prefetch) {
			return with(OptionTable.PREFETCH, prefetch);
		}

		/**
		 * When a task is overdue by so much that it dies instead of running: longer than
		 * zero, by default never.
		 */
		public Builder expiresAfter(@Nullable Duration expiresAfter) {
			return with(OptionTable.EXPIRES_AFTER, expiresAfter);
		}

		/** For how long handled tasks are kept: zero or longer, by default zero. */
		public Builder completedRetention(@Nullable Duration retention) {
			return with(OptionTable.COMPLETED_RETENTION, retention);
		}

		/** For how long dead letters are kept: longer than zero, by default forever. */
		public Builder deadLetterRetention(@Nullable Duration retention) {
			return with(OptionTable.DEAD_RETENTION, retention);
		}

		/** How many dead letters are kept, by default all. */
		public Builder deadLetterMaxSize(@Nullable Long maxSize) {
			return with(OptionTable.DEAD_MAX_SIZE, maxSize);
		}

		/** How large a payload may be as JSON in UTF-8, by default a megabyte. */
		public Builder maxPayloadSize(@Nullable DataSize maxPayloadSize) {
			return with(OptionTable.MAX_PAYLOAD_SIZE, maxPayloadSize);
		}

		/** Whether the database of the application keeps the tasks, by default not. */
		public Builder journal(@Nullable Boolean journal) {
			return with(OptionTable.JOURNAL, journal);
		}

		/**
		 * Whether tasks are scheduled after the commit of a transaction, if there is no
		 * journal. By default {@code false}: at once.
		 */
		public Builder afterCommit(@Nullable Boolean afterCommit) {
			return with(OptionTable.AFTER_COMMIT, afterCommit);
		}

		/** The options. */
		public QueueOptions build() {
			return of(this);
		}

	}

	/** The delays of a policy, for fewer attempts. */
	private record BoundedPolicy(RedeliveryPolicy delays, int maxAttempts) implements RedeliveryPolicy {

		@Override
		public @Nullable Duration nextDelay(int failures, @Nullable Throwable cause) {
			return (failures < this.maxAttempts) ? this.delays.nextDelay(failures, cause) : null;
		}

	}

}
