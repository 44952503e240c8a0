package io.github.delayqueue.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.Names;
import io.github.delayqueue.options.QueueOptions;

/**
 * Settings of the beans of the delay queue. With Spring Boot it comes from the properties
 * {@code delay-queue.*}; without, an application declares a bean of this type if it wants
 * other values than {@link #defaults()}. Immutable.
 *
 * @param keyPrefix beginning of all keys in Redis, without braces
 * @param commandTimeout how long to wait for an answer of Redis
 * @param schedulerPoolSize threads for timers and claims, from 1 to 1,000
 * @param virtualThreads whether these threads and handlers are virtual; needs Java 21
 * @param deadAfter how long after the end of its connection an instance is replaced, zero
 * if its leases have to run out; between 2 seconds and an hour
 * @param general options of queues that have none of their own
 * @param queues options of single queues, by name; each is complete, nothing is taken
 * from {@code general}, see {@link #withQueue(String, QueueOptions)}
 */
public record DelayQueueSettings(String keyPrefix, Duration commandTimeout, int schedulerPoolSize,
		boolean virtualThreads, Duration deadAfter, QueueOptions general,
		Map<String, QueueOptions> queues) implements AopInfrastructureBean {

	private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_\\-]+");

	public DelayQueueSettings {
		// drivers wait for a number of milliseconds that is not large
		if (commandTimeout.compareTo(Duration.ZERO) <= 0 || commandTimeout.compareTo(Duration.ofDays(1)) > 0) {
			throw new InvalidOptionException("command-timeout", commandTimeout,
					"it must be longer than zero, and at most a day");
		}
		if (!deadAfter.isZero()
				&& (deadAfter.compareTo(Duration.ofSeconds(2)) < 0 || deadAfter.compareTo(Duration.ofHours(1)) > 0)) {
			throw new InvalidOptionException("listener.dead-after", deadAfter,
					"it must be between 2 seconds, as a connection needs time to come back, and an hour; or 0 to wait for leases");
		}
		if (schedulerPoolSize < 1 || schedulerPoolSize > 1000) {
			throw new InvalidOptionException("listener.scheduler-pool-size", schedulerPoolSize,
					"it must be between 1 and 1000");
		}
		queues = Map.copyOf(queues);
	}

	/** The defaults. */
	public static DelayQueueSettings defaults() {
		return new DelayQueueSettings("delay:queue:", Duration.ofSeconds(2), 4, false, Duration.ofSeconds(3),
				QueueOptions.DEFAULTS, Map.of());
	}

	/** These settings with another key prefix, without braces. */
	public DelayQueueSettings withKeyPrefix(String keyPrefix) {
		return new DelayQueueSettings(keyPrefix, this.commandTimeout, this.schedulerPoolSize, this.virtualThreads,
				this.deadAfter, this.general, this.queues);
	}

	/** These settings with another time limit for commands. */
	public DelayQueueSettings withCommandTimeout(Duration commandTimeout) {
		return new DelayQueueSettings(this.keyPrefix, commandTimeout, this.schedulerPoolSize, this.virtualThreads,
				this.deadAfter, this.general, this.queues);
	}

	/** These settings with another number of threads for timers and claims. */
	public DelayQueueSettings withSchedulerPoolSize(int schedulerPoolSize) {
		return new DelayQueueSettings(this.keyPrefix, this.commandTimeout, schedulerPoolSize, this.virtualThreads,
				this.deadAfter, this.general, this.queues);
	}

	/** These settings with or without virtual threads; those need Java 21. */
	public DelayQueueSettings withVirtualThreads(boolean virtualThreads) {
		return new DelayQueueSettings(this.keyPrefix, this.commandTimeout, this.schedulerPoolSize, virtualThreads,
				this.deadAfter, this.general, this.queues);
	}

	/** These settings with another time after which an instance is replaced. */
	public DelayQueueSettings withDeadAfter(Duration deadAfter) {
		return new DelayQueueSettings(this.keyPrefix, this.commandTimeout, this.schedulerPoolSize, this.virtualThreads,
				deadAfter, this.general, this.queues);
	}

	/**
	 * These settings with others for a queue.
	 * @param options its options; those that are not set are taken from
	 * {@link #general()}
	 * @throws io.github.delayqueue.InvalidOptionException if they do not fit each other
	 */
	public DelayQueueSettings withQueue(String name, QueueOptions options) {
		Map<String, QueueOptions> changed = new HashMap<>(this.queues);
		changed.put(name, options.completedBy(this.general));
		return new DelayQueueSettings(this.keyPrefix, this.commandTimeout, this.schedulerPoolSize, this.virtualThreads,
				this.deadAfter, this.general, changed);
	}

	/** The beginning of the names of a queue's properties, which ends with a dot. */
	public static String prefixOf(String queue) {
		String queues = "delay-queue.queues";
		return PLAIN_NAME.matcher(queue).matches() ? queues + "." + queue + "." : queues + "[" + queue + "].";
	}

	/**
	 * The options of a queue. Dead letters are kept as safe as the tasks of their queue:
	 * in a journal if it has one, and by as many replicas.
	 */
	public QueueOptions forQueue(String queue) {
		QueueOptions options = this.queues.getOrDefault(queue, this.general);
		String source = Names.sourceOf(queue);
		if (source == null) {
			return options;
		}
		QueueOptions safe = forQueue(source);
		return options.toBuilder()
			.journal(options.journal() || safe.journal())
			.minReplicas(Math.max(options.minReplicas(), safe.minReplicas()))
			.build();
	}

	/** How many partitions a queue has at least. */
	public int partitions(String queue) {
		return forQueue(queue).partitions();
	}

	/** Whether the tasks of a queue are kept in the database of the application. */
	public boolean journal(String queue) {
		return forQueue(queue).journal();
	}

	/** Whether each queue has a journal, whatever its name. */
	public boolean journalEverywhere() {
		return this.general.journal() && this.queues.values().stream().allMatch(QueueOptions::journal);
	}

	/** Whether any queue has a journal, so that a bean has to describe it. */
	public boolean hasJournal() {
		return this.general.journal() || this.queues.values().stream().anyMatch(QueueOptions::journal);
	}

	/** Whether tasks of a queue are scheduled after the commit of a transaction. */
	public boolean afterCommit(String queue) {
		return forQueue(queue).afterCommit();
	}

	/** Whether those of any queue are. */
	public boolean hasAfterCommit() {
		return this.general.afterCommit() || this.queues.values().stream().anyMatch(QueueOptions::afterCommit);
	}

}
