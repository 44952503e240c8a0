package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.TaskStore;

/**
 * What holds for a container once everything that listener, queue and application set is
 * taken together.
 */
record ContainerOptions(int concurrency, Duration ttr, boolean renew, Duration timeout, Duration shutdownTimeout,
		int batchSize, boolean autoStartup, int maxExpiries, RetryOptions retry,
		List<Class<? extends Throwable>> noRetryFor, RedeliveryPolicy policy, Retention retention,
		@Nullable Duration expiresAfter, Duration pollInterval, int claimLimit, FlowLimits limits) {

	static final Duration MIN_TTR = Duration.ofMillis(100);

	/** Far beyond what makes sense, and fit for arithmetic with nanoseconds. */
	static final Duration MAX_DURATION = Duration.ofDays(36_500);

	/**
	 * Take the settings of all levels together.
	 * @param endpoint the listener
	 * @param settings what is configured for its queue; complete
	 * @return the options
	 * @throws InvalidListenerException if a value is not possible
	 */
	static ContainerOptions resolve(DelayQueueListenerEndpoint endpoint, QueueSettings settings) {
		ListenerOptions own = endpoint.options();
		ListenerOptions defaults = settings.listener();
		RetryOptions retry = own.retry().withDefaults(defaults.retry());
		List<Class<? extends Throwable>> noRetryFor = own.noRetryFor();
		Resolver resolver = new Resolver(endpoint, own, defaults);
		Duration ttr = resolver.get("ttr", ListenerOptions::ttr);
		resolver.check(ttr.compareTo(MIN_TTR) >= 0 && ttr.compareTo(MAX_DURATION) <= 0, "ttr",
				MIN_TTR + " to " + MAX_DURATION + " (in properties a number without a unit is milliseconds)", ttr);
		int concurrency = resolver.get("concurrency", ListenerOptions::concurrency);
		resolver.check(concurrency >= 1 && concurrency <= 10_000, "concurrency", "1 to 10000", concurrency);
		int batchSize = resolver.get("batch-size", ListenerOptions::batchSize);
		resolver.check(batchSize >= 1 && batchSize <= TaskStore.MAX_BATCH, "batch-size", "1 to " + TaskStore.MAX_BATCH,
				batchSize);
		Duration timeout = resolver.get("timeout", ListenerOptions::timeout);
		resolver.check(timeout.compareTo(Duration.ofMillis(1)) >= 0 && timeout.compareTo(MAX_DURATION) <= 0, "timeout",
				"a millisecond to " + MAX_DURATION, timeout);
		Duration shutdownTimeout = resolver.get("shutdown-timeout", ListenerOptions::shutdownTimeout);
		resolver.check(!shutdownTimeout.isNegative() && shutdownTimeout.compareTo(MAX_DURATION) <= 0,
				"shutdown-timeout", "zero to " + MAX_DURATION, shutdownTimeout);
		int maxExpiries = resolver.get("max-expiries", ListenerOptions::maxExpiries);
		resolver.check(maxExpiries >= 1, "max-expiries", "at least 1", maxExpiries);
		RedeliveryPolicy policy = own.redeliveryPolicy();
		return new ContainerOptions(concurrency, ttr, resolver.get("renew", ListenerOptions::renew), timeout,
				shutdownTimeout, batchSize, resolver.get("auto-startup", ListenerOptions::autoStartup), maxExpiries,
				retry, noRetryFor, (policy != null) ? policy : resolver.policy(retry, noRetryFor), settings.retention(),
				settings.expiresAfter(), settings.pollInterval(), settings.claimLimit(), settings.limits());
	}

	/**
	 * The policy for a task, which may have retry settings of its own.
	 * @param task what the task sets for itself
	 * @return the policy
	 */
	RedeliveryPolicy policy(TaskOptions task) {
		if (task.maxAttempts() == null && task.retryDelays() == null) {
			return this.policy;
		}
		return new RetryOptions(task.maxAttempts(), null, null, null, null, null, task.retryDelays())
			.withDefaults(this.retry)
			.toPolicy(this.noRetryFor);
	}

	/**
	 * Bring the ttr that a task sets for itself, which no listener has checked, within
	 * what leases can be kept with.
	 * @param ttr what the task sets
	 * @return the ttr to use
	 */
	static Duration boundTtr(Duration ttr) {
		if (ttr.compareTo(MIN_TTR) < 0) {
			return MIN_TTR;
		}
		return (ttr.compareTo(MAX_DURATION) > 0) ? MAX_DURATION : ttr;
	}

	/**
	 * How many tasks can be in handlers at a time.
	 * @return the number of tasks
	 */
	int slots() {
		return this.concurrency * this.batchSize;
	}

	/**
	 * What two listeners of one queue have to agree on, because either may get any task.
	 * @param other the options of the other
	 * @return the name of the first setting they disagree on, {@code null} if they agree
	 */
	@Nullable String disagreement(ContainerOptions other) {
		if (!this.ttr.equals(other.ttr)) {
			return "ttr (" + this.ttr + " and " + other.ttr + ")";
		}
		if (!this.policy.equals(other.policy)) {
			return "retry";
		}
		return (this.maxExpiries != other.maxExpiries) ? "max-expiries" : null;
	}

	private record Resolver(DelayQueueListenerEndpoint endpoint, ListenerOptions own, ListenerOptions defaults) {

		<T> T get(String property, Function<ListenerOptions, @Nullable T> component) {
			T value = component.apply(this.own);
			return (value != null) ? value
					: Objects.requireNonNull(component.apply(this.defaults), () -> property + " has no default");
		}

		void check(boolean possible, String property, String rule, Object value) {
			if (!possible) {
				throw new InvalidListenerException(this.endpoint.queue(),
						this.endpoint.description() + ": " + property + " must be " + rule + ", but is " + value,
						"Change it on the listener, or where the listener does not set it, change "
								+ "delay-queue.queues." + this.endpoint.queue() + ".listener." + property
								+ " or delay-queue.listener." + property + ".",
						null);
			}
		}

		RedeliveryPolicy policy(RetryOptions retry, List<Class<? extends Throwable>> noRetryFor) {
			try {
				retry.validate((name) -> "retry." + name);
				return retry.toPolicy(noRetryFor);
			}
			catch (DelayQueueException ex) {
				throw new InvalidListenerException(this.endpoint.queue(),
						this.endpoint.description() + ": " + ex.getMessage(),
						"Change it on the listener, or where the listener does not set it, change "
								+ "delay-queue.queues." + this.endpoint.queue() + ".retry.* or delay-queue.retry.*.",
						ex);
			}
		}

	}

}
