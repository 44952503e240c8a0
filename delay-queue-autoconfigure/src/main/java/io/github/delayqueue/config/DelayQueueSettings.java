package io.github.delayqueue.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.Names;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.interrupts.CancelInterrupts;
import io.github.delayqueue.limits.GlobalConcurrency;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.OptionTable;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.partition.Partitions;
import io.github.delayqueue.replication.ReplicatedScripts;

/**
 * Settings of the beans of the delay queue. With Spring Boot it comes from the properties
 * {@code delay-queue.*}; without, an application declares a bean of this type if it wants
 * other values than {@link #defaults()}. Immutable.
 *
 * @param application what holds for all queues together, see {@link #OPTIONS}
 * @param general options of queues that have none of their own
 * @param queues options of single queues, by name; each is complete, nothing is taken
 * from {@code general}, see {@link #withQueue(String, QueueOptions)}
 */
public record DelayQueueSettings(QueueOptions application, QueueOptions general,
		Map<String, QueueOptions> queues) implements AopInfrastructureBean {

	private static final Option<String> KEY_PREFIX = Option.of("key-prefix", String.class, "delay:queue:");

	// drivers wait for a number of milliseconds that is not large
	private static final Option<Duration> COMMAND_TIMEOUT = Option
		.of("command-timeout", Duration.class, Duration.ofSeconds(2))
		.within((timeout) -> timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(Duration.ofDays(1)) <= 0,
				"longer than zero, and at most a day");

	private static final Option<Integer> SCHEDULER_POOL_SIZE = Option.number("listener.scheduler-pool-size", 1, 1000,
			4);

	private static final Option<Boolean> VIRTUAL_THREADS = Option.flag("virtual-threads", false);

	private static final Option<Duration> INSTANCE_TIMEOUT = Option
		.of("listener.instance-timeout", Duration.class, Duration.ofSeconds(3))
		.within((time) -> time.isZero()
				|| (time.compareTo(Duration.ofSeconds(2)) >= 0 && time.compareTo(Duration.ofHours(1)) <= 0),
				"between 2 seconds, as a connection needs time to come back, and an hour; or 0 to wait for leases");

	/** The options of the application as a whole. */
	public static final List<Option<?>> OPTIONS = List.of(KEY_PREFIX, COMMAND_TIMEOUT, SCHEDULER_POOL_SIZE,
			VIRTUAL_THREADS, INSTANCE_TIMEOUT);

	/** The options of a queue, those of parts as well. */
	public static final List<Option<?>> QUEUE_OPTIONS = Stream.concat(OptionTable.all().stream(),
			Stream.of(RateLimit.OPTION, GlobalConcurrency.OPTION, Partitions.COUNT, ReplicatedScripts.MIN_REPLICAS,
					GroupedQueues.ENABLED, GroupedQueues.CONCURRENCY, GroupedQueues.RATE_LIMIT, GroupedQueues.ORDERED,
					CancelInterrupts.INTERRUPT))
		.toList();

	public DelayQueueSettings {
		queues = Map.copyOf(queues);
	}

	/** The defaults. */
	public static DelayQueueSettings defaults() {
		return new DelayQueueSettings(QueueOptions.defaultsOf(OPTIONS), QueueOptions.defaultsOf(QUEUE_OPTIONS),
				Map.of());
	}

	/** The beginning of all keys in Redis, without braces. */
	public String keyPrefix() {
		return this.application.get(KEY_PREFIX);
	}

	/** How long to wait for an answer of Redis, by default 2 seconds. */
	public Duration commandTimeout() {
		return this.application.get(COMMAND_TIMEOUT);
	}

	/** Threads for timers and claims, from 1 to 1,000. */
	public int schedulerPoolSize() {
		return this.application.get(SCHEDULER_POOL_SIZE);
	}

	/** Whether these threads and handlers are virtual. */
	public boolean virtualThreads() {
		return this.application.get(VIRTUAL_THREADS);
	}

	/**
	 * How long after the end of its connection an instance is replaced, zero if its
	 * leases have to run out. Between 2 seconds and an hour.
	 */
	public Duration instanceTimeout() {
		return this.application.get(INSTANCE_TIMEOUT);
	}

	/** These settings with another key prefix, without braces. */
	public DelayQueueSettings withKeyPrefix(String keyPrefix) {
		return with(KEY_PREFIX, keyPrefix);
	}

	/** These settings with another time limit for commands. */
	public DelayQueueSettings withCommandTimeout(Duration commandTimeout) {
		return with(COMMAND_TIMEOUT, commandTimeout);
	}

	/** These settings with another number of threads for timers and claims. */
	public DelayQueueSettings withSchedulerPoolSize(int schedulerPoolSize) {
		return with(SCHEDULER_POOL_SIZE, schedulerPoolSize);
	}

	/** These settings with or without virtual threads; those need Java 21. */
	public DelayQueueSettings withVirtualThreads(boolean virtualThreads) {
		return with(VIRTUAL_THREADS, virtualThreads);
	}

	/** These settings with another time after which an instance is replaced. */
	public DelayQueueSettings withInstanceTimeout(Duration instanceTimeout) {
		return with(INSTANCE_TIMEOUT, instanceTimeout);
	}

	private <T> DelayQueueSettings with(Option<T> option, T value) {
		return new DelayQueueSettings(this.application.toBuilder().with(option, value).build(), this.general,
				this.queues);
	}

	/**
	 * These settings with others for a queue.
	 * @param options its options; those that are not set are taken from
	 * {@link #general()}
	 * @throws io.github.delayqueue.InvalidOptionException if they do not fit each other
	 */
	public DelayQueueSettings withQueue(String name, QueueOptions options) {
		Map<String, QueueOptions> changed = new HashMap<>(this.queues);
		changed.put(name, complete(options, this.general));
		return new DelayQueueSettings(this.application, this.general, changed);
	}

	/**
	 * Lay options of a queue over those of the level below.
	 * @throws InvalidOptionException if they do not fit each other; it names what is set
	 * by the former
	 */
	public static QueueOptions complete(QueueOptions options, QueueOptions lower) {
		QueueOptions all = options.withDefaults(lower);
		OptionFit.require(all, options);
		return all;
	}

	/** The beginning of the names of a queue's properties, which ends with a dot. */
	public static String prefixOf(String queue) {
		return Option.prefixOf(queue);
	}

	/** The queue whose dead letters are moved to another one, if there is one. */
	private static @Nullable String sourceOf(String queue) {
		String suffix = Names.deadLettersOf("");
		int end = queue.length() - suffix.length();
		return (end > 0 && queue.endsWith(suffix)) ? queue.substring(0, end) : null;
	}

	/**
	 * The options of a queue. Dead letters are kept as safe as the tasks of their queue:
	 * in a journal if it has one, and by as many replicas.
	 */
	public QueueOptions forQueue(String queue) {
		QueueOptions options = this.queues.getOrDefault(queue, this.general);
		String source = sourceOf(queue);
		if (source == null) {
			return options;
		}
		QueueOptions safe = forQueue(source);
		return options.toBuilder()
			.journal(options.journal() || safe.journal())
			.with(ReplicatedScripts.MIN_REPLICAS,
					Math.max(options.get(ReplicatedScripts.MIN_REPLICAS), safe.get(ReplicatedScripts.MIN_REPLICAS)))
			.build();
	}

	/** How many partitions a queue has at least. */
	public int partitions(String queue) {
		return forQueue(queue).get(Partitions.COUNT);
	}

	/** How many replicas must have a task of a queue before scheduling returns. */
	public int minReplicas(String queue) {
		return forQueue(queue).get(ReplicatedScripts.MIN_REPLICAS);
	}

	/** Whether any queue has groups. */
	public boolean hasGroups() {
		return this.general.get(GroupedQueues.ENABLED)
				|| this.queues.values().stream().anyMatch((options) -> options.get(GroupedQueues.ENABLED));
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
