package io.github.delayqueue.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.journal.TransactionMode;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.QueueSettings;
import io.github.delayqueue.producer.ProducerSettings;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.TaskStore;

/**
 * What the beans of the delay queue are set to. With Spring Boot it comes from the
 * properties {@code delay-queue.*}; without, an application declares a bean of this type
 * where it wants something else than {@link #defaults()}. Immutable.
 *
 * @param keyPrefix what all keys in Redis begin with, without braces
 * @param commandTimeout how long to wait for an answer of Redis
 * @param virtualThreads whether handlers run on virtual threads; needs Java 21
 * @param general what holds for queues that have no settings of their own
 * @param queues settings of single queues, by name; each is complete, nothing is taken
 * from {@code general}
 */
public record DelayQueueSettings(String keyPrefix, Duration commandTimeout, boolean virtualThreads, Queue general,
		Map<String, Queue> queues) {

	public DelayQueueSettings {
		queues = Map.copyOf(queues);
	}

	/**
	 * What holds where nothing is set.
	 * @return the settings
	 */
	public static DelayQueueSettings defaults() {
		ListenerOptions listener = ListenerOptions.builder()
			.autoStartup(true)
			.concurrency(8)
			.ttr(Duration.ofSeconds(30))
			.renew(true)
			.timeout(Duration.ofHours(1))
			.shutdownTimeout(Duration.ofSeconds(25))
			.batchSize(1)
			.maxExpiries(5)
			.retry(RetryOptions.DEFAULTS)
			.build();
		Queue queue = new Queue(
				new QueueSettings(listener, Retention.NONE, null, Duration.ofSeconds(1), TaskStore.MAX_BATCH),
				new ProducerSettings(1024 * 1024, Retention.NONE));
		return new DelayQueueSettings("delay:queue:", Duration.ofSeconds(2), false, queue, Map.of());
	}

	/**
	 * These settings with another key prefix.
	 * @param keyPrefix what all keys in Redis begin with, without braces
	 * @return the settings
	 */
	public DelayQueueSettings withKeyPrefix(String keyPrefix) {
		return new DelayQueueSettings(keyPrefix, this.commandTimeout, this.virtualThreads, this.general, this.queues);
	}

	/**
	 * These settings with another time limit for commands.
	 * @param commandTimeout how long to wait for an answer of Redis
	 * @return the settings
	 */
	public DelayQueueSettings withCommandTimeout(Duration commandTimeout) {
		return new DelayQueueSettings(this.keyPrefix, commandTimeout, this.virtualThreads, this.general, this.queues);
	}

	/**
	 * These settings with or without virtual threads.
	 * @param virtualThreads whether handlers run on virtual threads; needs Java 21
	 * @return the settings
	 */
	public DelayQueueSettings withVirtualThreads(boolean virtualThreads) {
		return new DelayQueueSettings(this.keyPrefix, this.commandTimeout, virtualThreads, this.general, this.queues);
	}

	/**
	 * These settings with others for a queue.
	 * @param name the queue
	 * @param queue its settings
	 * @return the settings
	 */
	public DelayQueueSettings withQueue(String name, Queue queue) {
		Map<String, Queue> changed = new HashMap<>(this.queues);
		changed.put(name, queue);
		return new DelayQueueSettings(this.keyPrefix, this.commandTimeout, this.virtualThreads, this.general, changed);
	}

	/**
	 * Settings for consumers of a queue.
	 * @param queue the queue
	 * @return its settings
	 */
	public QueueSettings forQueue(String queue) {
		return this.queues.getOrDefault(queue, this.general).consumer();
	}

	/**
	 * Settings for producers of a queue.
	 * @param queue the queue
	 * @return its settings
	 */
	public ProducerSettings producer(String queue) {
		return this.queues.getOrDefault(queue, this.general).producer();
	}

	/**
	 * How many partitions a queue has at least.
	 * @param queue the queue
	 * @return the number
	 */
	public int partitions(String queue) {
		return this.queues.getOrDefault(queue, this.general).partitions();
	}

	/**
	 * Whether a queue has a journal.
	 * @param queue the queue
	 * @return whether its tasks are kept in the database of the application
	 */
	public boolean journal(String queue) {
		return this.queues.getOrDefault(queue, this.general).journal();
	}

	/**
	 * Whether each queue has a journal, whatever its name.
	 * @return whether no task is lost with Redis
	 */
	public boolean journalEverywhere() {
		return this.general.journal() && this.queues.values().stream().allMatch(Queue::journal);
	}

	/**
	 * Whether any queue has a journal.
	 * @return whether a {@link io.github.delayqueue.journal.Journal} is needed
	 */
	public boolean hasJournal() {
		return this.general.journal() || this.queues.values().stream().anyMatch(Queue::journal);
	}

	/**
	 * Whether tasks of a queue are scheduled after the commit of a transaction. A queue
	 * with a journal has no need of that.
	 * @param queue the queue
	 * @return whether they are
	 */
	public boolean afterCommit(String queue) {
		return this.queues.getOrDefault(queue, this.general).afterCommit();
	}

	/**
	 * Whether tasks of any queue are scheduled after the commit of a transaction.
	 * @return whether they are
	 */
	public boolean hasAfterCommit() {
		return this.general.afterCommit() || this.queues.values().stream().anyMatch(Queue::afterCommit);
	}

	/**
	 * Settings of a queue.
	 *
	 * @param consumer for those who consume it
	 * @param producer for those who schedule to it
	 * @param partitions how many partitions it has at least, 1 to {@link Partitions#MAX}.
	 * More than there are make it grow; it never shrinks
	 * @param journal whether its tasks are kept in the database of the application
	 * @param transaction when a task is scheduled inside a transaction, if there is no
	 * journal
	 */
	public record Queue(QueueSettings consumer, ProducerSettings producer, int partitions, boolean journal,
			TransactionMode transaction) {

		public Queue {
			if (partitions < 1 || partitions > Partitions.MAX) {
				throw new DelayQueueException(null, null,
						"A queue has 1 to " + Partitions.MAX + " partitions, not " + partitions);
			}
			requireShare(consumer.retention(), partitions);
			requireShare(producer.retention(), partitions);
			requireShare(consumer.limits(), partitions);
			requireShare(producer.limits(), partitions);
		}

		/**
		 * Settings of a queue without a journal, whose tasks are scheduled at once.
		 * @param consumer for those who consume it
		 * @param producer for those who schedule to it
		 * @param partitions how many partitions it has at least
		 */
		public Queue(QueueSettings consumer, ProducerSettings producer, int partitions) {
			this(consumer, producer, partitions, false, TransactionMode.IMMEDIATE);
		}

		/**
		 * Settings of a queue with one partition.
		 * @param consumer for those who consume it
		 * @param producer for those who schedule to it
		 */
		public Queue(QueueSettings consumer, ProducerSettings producer) {
			this(consumer, producer, 1);
		}

		boolean afterCommit() {
			return this.transaction == TransactionMode.AFTER_COMMIT && !this.journal;
		}

		private static void requireShare(FlowLimits limits, int partitions) {
			if (!limits.canBeSharedBy(partitions)) {
				throw new DelayQueueException(null, null, limits + " cannot be divided over " + partitions
						+ " partitions: neither limit may be below their number");
			}
		}

		private static void requireShare(Retention retention, int partitions) {
			if (retention.deadMaxSize() != null && retention.deadMaxSize() < partitions) {
				throw new DelayQueueException(null, null, "At most " + retention.deadMaxSize()
						+ " dead tasks are to be kept in " + partitions + " partitions; each keeps at least one");
			}
		}

	}

}
