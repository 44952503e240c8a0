package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import io.github.delayqueue.options.FailureLogging;
import io.github.delayqueue.options.TransactionMode;

/**
 * The properties {@code delay-queue.*}. A property that does not exist is an error: a
 * misspelt one would have no effect.
 * <p>
 * The name of a queue that holds a dot or a colon goes into brackets, and in YAML into
 * quotation marks as well:
 *
 * <pre class="code">
 * delay-queue:
 *   queues:
 *     order_timeout:
 *       listener:
 *         concurrency: 2
 *     "[shop.orders:timeout]":
 *       listener:
 *         concurrency: 4
 * </pre>
 *
 * Public for applications that read it. Immutable.
 *
 * @param enabled Whether the delay queue is on; if not, none of its beans exists,
 * whatever annotations say.
 * @param keyPrefix Beginning of all keys in Redis. Must not contain braces.
 * @param commandTimeout How long to wait for an answer of Redis, whatever the driver's
 * timeout is. Should be well below the lease duration.
 * @param listener Settings of listeners that do not set them themselves.
 * @param retry How tasks whose handler failed are retried.
 * @param deadLetter How many dead letters are kept, and for how long.
 * @param completed For how long handled tasks are kept.
 * @param producer Scheduling of tasks.
 * @param journal Tasks are kept in the database of the application.
 * @param serverCheck Look at the settings of Redis.
 * @param observation Observations of scheduling and handling, and with them traces.
 * @param health Health of the delay queue.
 * @param metrics Meters of the delay queue.
 * @param migration Moving over from other delay queues.
 * @param queues Settings of single queues, by name. They take precedence over the general
 * ones.
 * @param test Settings of the test kit, delay-queue-test, which alone reads them.
 */
@ConfigurationProperties(prefix = "delay-queue", ignoreUnknownFields = false)
public record DelayQueueProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue("delay:queue:") String keyPrefix, @DefaultValue("2s") Duration commandTimeout,
		@DefaultValue Listener listener, @DefaultValue Retry retry, @DefaultValue DeadLetter deadLetter,
		@DefaultValue Completed completed, @DefaultValue Producer producer, @DefaultValue Journal journal,
		@DefaultValue ServerCheck serverCheck, @DefaultValue Observation observation, @DefaultValue Health health,
		@DefaultValue Metrics metrics, @DefaultValue Migration migration, @DefaultValue Map<String, Queue> queues,
		@DefaultValue Map<String, String> test) implements AopInfrastructureBean {

	/**
	 * Settings of listeners that do not set them themselves.
	 *
	 * @param autoStartup Whether listeners start with the application.
	 * @param concurrency How many tasks, of a batch listener batches, one listener
	 * handles at a time.
	 * @param leaseDuration how long a claimed task is kept from other consumers before it
	 * is delivered again, unless the lease is extended.
	 * @param autoRenewLease Whether leases are extended while the handler runs.
	 * @param handlerTimeout After what time a handler is interrupted, as a failure.
	 * @param interruptOnCancel Whether handlers of cancelled tasks are interrupted.
	 * @param shutdownTimeout How long stopping waits for running handlers. Should be
	 * below spring.lifecycle.timeout-per-shutdown-phase.
	 * @param batchSize How many tasks a batch listener is given at a time at most.
	 * @param logFailures How a handler's exception is logged: type, message and, after
	 * the last attempt, stack trace, or its type alone.
	 * @param pollInterval How long a consumer waits at most before it asks for due tasks
	 * again. Only when wake messages get lost does a task wait that long.
	 * @param prefetch Most tasks that one claim takes ahead of the handlers, 1 to 500:
	 * they wait in this instance, with leases. Only where handlers are quick, or many,
	 * does a claim take so many: lower it if other clients of the same Redis cannot wait
	 * for two milliseconds.
	 * @param instanceTimeout How long after the end of its connection an instance that
	 * died is replaced: others end its leases and take its tasks. Between 2 seconds and
	 * an hour; 0 if its leases have to run out.
	 * @param schedulerPoolSize Threads of this instance for the timers and claims of all
	 * its listeners, 1 to 1,000. Handlers have threads of their own.
	 */
	public record Listener(@DefaultValue("true") boolean autoStartup, @DefaultValue("8") int concurrency,
			@DefaultValue("30s") Duration leaseDuration, @DefaultValue("true") boolean autoRenewLease,
			@DefaultValue("1h") Duration handlerTimeout, @DefaultValue("false") boolean interruptOnCancel,
			@DefaultValue("25s") Duration shutdownTimeout, @DefaultValue("1") int batchSize,
			@DefaultValue("full") FailureLogging logFailures, @DefaultValue("1s") Duration pollInterval,
			@DefaultValue("500") int prefetch, @DefaultValue("3s") Duration instanceTimeout,
			@DefaultValue("4") int schedulerPoolSize) {

	}

	/**
	 * How tasks whose handler failed are retried. Without defaults here, because a level
	 * that sets {@code delays} or {@code increment} changes what the others default to.
	 *
	 * @param maxAttempts How often a task is attempted before it is given up. Default 10,
	 * with delays one more than their number.
	 * @param maxLeaseLosses How many leases a task may lose, for instance because its
	 * consumer died, before it is given up. Default 5.
	 * @param delay Delay before the first retry. Default 10s.
	 * @param multiplier By what each delay is longer than the one before. Default 2, with
	 * an increment 1.
	 * @param increment Added to the delay with each failure. Default 0s.
	 * @param maxDelay Upper bound of a delay. Default 1h.
	 * @param jitter Up to what fraction of itself a delay is varied, 0 to 1. Default 0.1.
	 * @param delays Explicit delays between the attempts, instead of computed ones.
	 * @param delayAfterFalse Delay before a retry after a handler that returned false.
	 * Default: as after an exception.
	 */
	public record Retry(@Nullable Integer maxAttempts, @Nullable Integer maxLeaseLosses, @Nullable Duration delay,
			@Nullable Double multiplier, @Nullable Duration increment, @Nullable Duration maxDelay,
			@Nullable Double jitter, @Nullable List<Duration> delays, @Nullable Duration delayAfterFalse) {
	}

	/**
	 * How many dead letters are kept, and for how long.
	 *
	 * @param maxSize How many dead letters are kept, the latest. Default: all.
	 * @param retention For how long dead letters are kept. Default: forever.
	 */
	public record DeadLetter(@Nullable Long maxSize, @Nullable Duration retention) {
	}

	/**
	 * For how long handled tasks are kept.
	 *
	 * @param retention For how long handled tasks are kept, and with that their ids known
	 * as duplicates; zero for not at all.
	 */
	public record Completed(@DefaultValue("0s") Duration retention) {

	}

	/**
	 * Scheduling of tasks.
	 *
	 * @param maxPayloadSize Largest payload, as JSON in UTF-8.
	 * @param minReplicas How many replicas of Redis are to have a task before scheduling
	 * it returns; fewer within command-timeout are an error. Zero for not waiting.
	 * @param transaction When a task is scheduled, cancelled or moved inside a
	 * transaction: at once, or after the commit. A queue with a journal takes part in the
	 * transaction, whatever this says.
	 */
	public record Producer(@DefaultValue("1MB") DataSize maxPayloadSize, @DefaultValue("0") int minReplicas,
			@DefaultValue("immediate") TransactionMode transaction) {

	}

	/**
	 * Tasks are kept in a table of the application's database until they are finished.
	 *
	 * @param enabled Whether all queues have a journal that do not say otherwise.
	 * @param horizon Tasks that are due within this time are in Redis, others in the
	 * database only.
	 * @param initializeSchema When the tables are created at start.
	 * @param schema Script that creates the tables.
	 * @param platform Value of the placeholder @@platform@@ in schema. Default: as the
	 * database is.
	 * @param timeout How long to wait for the database, in whole seconds, rounded up.
	 * @param loadInterval How often to look for tasks that come within the horizon, and
	 * for what Redis has lost.
	 * @param batchSize How many tasks are loaded into Redis at a time, 1 to 500.
	 * @param routing Whether the DataSource may be one that routes to several databases,
	 * because it leads all threads to the same one.
	 */
	public record Journal(@DefaultValue("false") boolean enabled, @DefaultValue("1h") Duration horizon,
			@DefaultValue("embedded") InitializeSchema initializeSchema,
			@DefaultValue("classpath:io/github/delayqueue/journal/schema-@@platform@@.sql") String schema,
			@Nullable String platform, @DefaultValue("5s") Duration timeout, @DefaultValue("1s") Duration loadInterval,
			@DefaultValue("500") int batchSize, @DefaultValue("false") boolean routing) {

	}

	/**
	 * Look at the settings of Redis.
	 *
	 * @param enabled Whether to warn, in the log and in the details of health, of
	 * settings of Redis by which tasks may get lost.
	 */
	public record ServerCheck(@DefaultValue("true") boolean enabled) {

	}

	/**
	 * Observations of scheduling and handling, and with them traces.
	 *
	 * @param enabled Whether scheduling and handling are observed. Default: where there
	 * is a tracer.
	 * @param linkAfter How long a task may be told to wait and still have its handler
	 * continue the trace that it was scheduled in. Tasks that wait longer begin a trace
	 * of their own, with a link; zero for all that wait.
	 */
	public record Observation(@Nullable Boolean enabled, @DefaultValue("1m") Duration linkAfter) {

	}

	/**
	 * Health of the delay queue.
	 *
	 * @param maxLag For how long the oldest due task of a queue may have been waiting
	 * before its listener is reported DOWN, and the queue behind. Default: any time; a
	 * queue is reported behind, and its listener UP, after 30 seconds, or three poll
	 * intervals if that is longer.
	 */
	public record Health(@Nullable Duration maxLag) {

	}

	/**
	 * Meters of the delay queue.
	 *
	 * @param perQueue Meters that each queue has of its own, by their names or how these
	 * begin. Of the others there is one for all queues together, none if it is a gauge or
	 * comes from Redis.
	 */
	public record Metrics(@DefaultValue("delay.queue") List<String> perQueue) {

	}

	/**
	 * Moving over from other delay queues. Beans of type
	 * io.github.delayqueue.migration.Migration say what to move.
	 *
	 * @param enabled Whether what these beans describe is moved while the application
	 * runs.
	 * @param interval How long to wait between two rounds.
	 * @param batchSize How many entries of each source a round moves at most, 1 to 500.
	 * @param dryRun Whether entries are only counted, once at start, and stay where they
	 * are.
	 */
	public record Migration(@DefaultValue("false") boolean enabled, @DefaultValue("1s") Duration interval,
			@DefaultValue("500") int batchSize, @DefaultValue("false") boolean dryRun) {

	}

	/**
	 * Settings of a single queue; what is not set comes from the general properties.
	 *
	 * @param partitions How many partitions the queue is spread over, 1 to 256. A queue
	 * keeps its number until it is forgotten: an instance that is set to another one
	 * schedules and claims none of its tasks.
	 * @param rateLimit How many tasks the consumers of all instances together may take in
	 * a second, minute or hour: 100/s, 30/m, 5/h. Must not be below partitions. Default:
	 * any number.
	 * @param globalConcurrency How many tasks may be in flight in all instances together.
	 * Must not be below partitions. Default: any number.
	 * @param expiresAfter Overdue by more than this a task is given up instead of run.
	 * Default: never.
	 * @param journal Whether tasks are kept in the database of the application.
	 * @param listener Settings of listeners that do not set them themselves.
	 * @param retry How tasks whose handler failed are retried.
	 * @param deadLetter How many dead letters are kept, and for how long.
	 * @param completed For how long handled tasks are kept.
	 * @param producer Scheduling of tasks.
	 * @param groups Whether tasks of different groups take turns.
	 */
	public record Queue(@DefaultValue("1") int partitions, @Nullable String rateLimit,
			@Nullable Integer globalConcurrency, @Nullable Duration expiresAfter, @DefaultValue Journal journal,
			@DefaultValue Listener listener, @DefaultValue Retry retry, @DefaultValue DeadLetter deadLetter,
			@DefaultValue Completed completed, @DefaultValue Producer producer, @DefaultValue Groups groups) {

		/**
		 * Settings of listeners on the queue that do not set them themselves.
		 *
		 * @param autoStartup Whether listeners start with the application.
		 * @param concurrency How many tasks, of a batch listener batches, one listener
		 * handles at a time.
		 * @param leaseDuration how long a claimed task is kept from other consumers.
		 * @param autoRenewLease Whether leases are extended while the handler runs.
		 * @param handlerTimeout After what time a handler is interrupted.
		 * @param interruptOnCancel Whether handlers of cancelled tasks are interrupted.
		 * @param shutdownTimeout How long stopping waits for running handlers.
		 * @param batchSize How many tasks a batch listener is given at a time at most.
		 * @param logFailures How a handler's exception is logged.
		 * @param pollInterval How long a consumer waits at most before it asks for due
		 * tasks again.
		 * @param prefetch Most tasks that one claim takes ahead of the handlers, 1 to
		 * 500.
		 */
		public record Listener(@Nullable Boolean autoStartup, @Nullable Integer concurrency,
				@Nullable Duration leaseDuration, @Nullable Boolean autoRenewLease, @Nullable Duration handlerTimeout,
				@Nullable Boolean interruptOnCancel, @Nullable Duration shutdownTimeout, @Nullable Integer batchSize,
				@Nullable FailureLogging logFailures, @Nullable Duration pollInterval, @Nullable Integer prefetch) {

		}

		/**
		 * Whether tasks are kept in the database of the application.
		 *
		 * @param enabled Whether the tasks of the queue are kept there until they are
		 * finished. Default: as delay-queue.journal.enabled says.
		 */
		public record Journal(@Nullable Boolean enabled) {

		}

		/**
		 * Groups of tasks that take turns, however many tasks each has.
		 *
		 * @param enabled Whether the queue has groups. It has them until it is forgotten.
		 * @param concurrency How many tasks of one group may be in flight in all
		 * instances together. Default: any number.
		 * @param rateLimit How many tasks of one group the consumers of all instances
		 * together may take in a second, minute or hour: 100/s, 30/m, 5/h. Default: any
		 * number.
		 * @param ordered Whether tasks of one group run one after the other, and one that
		 * failed is tried again before all others.
		 */
		public record Groups(@DefaultValue("false") boolean enabled, @Nullable Integer concurrency,
				@Nullable String rateLimit, @DefaultValue("false") boolean ordered) {

		}

		/**
		 * For how long handled tasks of the queue are kept.
		 *
		 * @param retention For how long handled tasks are kept.
		 */
		public record Completed(@Nullable Duration retention) {

		}

		/**
		 * Scheduling of tasks to the queue.
		 *
		 * @param maxPayloadSize Largest payload, as JSON in UTF-8.
		 * @param minReplicas How many replicas of Redis are to have a task before
		 * scheduling it returns.
		 * @param transaction When a task is scheduled, cancelled or moved inside a
		 * transaction.
		 */
		public record Producer(@Nullable DataSize maxPayloadSize, @Nullable Integer minReplicas,
				@Nullable TransactionMode transaction) {

		}

	}

}
