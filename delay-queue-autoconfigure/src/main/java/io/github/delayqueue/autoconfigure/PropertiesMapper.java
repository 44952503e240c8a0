package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.Names;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Journal;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Queue;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Retry;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.journal.TransactionMode;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.RateLimit;
import io.github.delayqueue.store.TaskStore;

/**
 * Makes the settings of the beans of properties: those of a queue laid over the general
 * ones. Values that are not possible are errors that name their property.
 */
final class PropertiesMapper {

	private static final String PREFIX = "delay-queue.";

	/** Of a module that applications without a migration do not have. */
	private static final String MIGRATION = "io.github.delayqueue.migration.MigrationRunner";

	private static final Duration MIN_HORIZON = Duration.ofSeconds(1);

	private PropertiesMapper() {
	}

	/**
	 * Make the settings.
	 * @throws InvalidConfigurationPropertyValueException naming the first property whose
	 * value is not possible
	 */
	static DelayQueueSettings map(DelayQueueProperties properties, boolean virtualThreads) {
		validate(properties);
		QueueOptions general = options(PREFIX, general(properties), QueueOptions.DEFAULTS);
		Map<String, QueueOptions> options = new LinkedHashMap<>();
		properties.queues()
			.forEach((name, queue) -> options.put(name, options(DelayQueueSettings.prefixOf(name), queue, general)));
		try {
			return new DelayQueueSettings(properties.keyPrefix(), properties.commandTimeout(),
					properties.listener().schedulerPoolSize(), virtualThreads, properties.listener().deadAfter(),
					general, options);
		}
		catch (InvalidOptionException ex) {
			throw invalid(PREFIX, ex);
		}
	}

	/** The general properties as if they were those of a queue. */
	private static Queue general(DelayQueueProperties properties) {
		DelayQueueProperties.Listener listener = properties.listener();
		DelayQueueProperties.Producer producer = properties.producer();
		return new Queue(1, null, null, null, new Queue.Journal(properties.journal().enabled()),
				new Queue.Listener(listener.autoStartup(), listener.concurrency(), listener.ttr(), listener.renew(),
						listener.timeout(), listener.shutdownTimeout(), listener.batchSize(), listener.logFailures(),
						listener.pollInterval(), listener.claimLimit()),
				properties.retry(), properties.deadLetter(), new Queue.Completed(properties.completed().retention()),
				new Queue.Producer(producer.maxPayloadSize(), producer.minReplicas(), producer.transaction()));
	}

	private static QueueOptions options(String prefix, Queue queue, QueueOptions lower) {
		try {
			return options(queue).completedBy(lower);
		}
		catch (InvalidOptionException ex) {
			throw invalid(prefix, ex);
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String prefix, InvalidOptionException ex) {
		return new InvalidConfigurationPropertyValueException(prefix + ex.getProperty(), ex.getValue(), ex.getReason());
	}

	private static QueueOptions options(Queue queue) {
		Queue.Listener listener = queue.listener();
		Retry retry = queue.retry();
		TransactionMode transaction = queue.producer().transaction();
		return QueueOptions.builder()
			.partitions(queue.partitions())
			.rateLimit(rate(queue.rateLimit()))
			.globalConcurrency(queue.globalConcurrency())
			.expiresAfter(queue.expiresAfter())
			.pollInterval(listener.pollInterval())
			.claimLimit(listener.claimLimit())
			.autoStartup(listener.autoStartup())
			.concurrency(listener.concurrency())
			.ttr(listener.ttr())
			.renew(listener.renew())
			.timeout(listener.timeout())
			.shutdownTimeout(listener.shutdownTimeout())
			.batchSize(listener.batchSize())
			.logFailures(listener.logFailures())
			.maxLeaseLosses(retry.maxLeaseLosses())
			.retry(new RetryOptions(retry.maxAttempts(), retry.delay(), retry.multiplier(), retry.increment(),
					retry.maxDelay(), retry.jitter(), retry.delays(), retry.delayAfterFalse()))
			.completedRetention(queue.completed().retention())
			.deadLetterRetention(queue.deadLetter().retention())
			.deadLetterMaxSize(queue.deadLetter().maxSize())
			.maxPayloadSize(queue.producer().maxPayloadSize())
			.minReplicas(queue.producer().minReplicas())
			.afterCommit((transaction != null) ? Boolean.valueOf(transaction == TransactionMode.AFTER_COMMIT) : null)
			.journal(queue.journal().enabled())
			.build();
	}

	private static @Nullable RateLimit rate(@Nullable String rate) {
		try {
			return (rate != null) ? RateLimit.parse(rate) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidOptionException("rate-limit", rate, String.valueOf(ex.getMessage()));
		}
	}

	private static void validate(DelayQueueProperties properties) {
		String keyPrefix = properties.keyPrefix();
		check(!keyPrefix.isBlank(), "key-prefix", keyPrefix, "it must not be blank");
		check(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0, "key-prefix", keyPrefix,
				"it must not contain braces, which mark the name of the queue as hash tag of a cluster");
		Duration linkAfter = properties.observation().linkAfter();
		check(!linkAfter.isNegative(), "observation.link-after", linkAfter, "it must not be negative");
		positive("health.max-lag", properties.health().maxLag());
		validate(properties.journal());
		check(!properties.migration().enabled() || ClassUtils.isPresent(MIGRATION, null), "migration.enabled", true,
				"it needs the module delay-queue-migration on the class path");
		positive("migration.interval", properties.migration().interval());
		batchSize("migration.batch-size", properties.migration().batchSize());
		properties.queues().forEach((name, queue) -> validate(name, queue, properties.journal()));
	}

	private static void validate(Journal journal) {
		positive("journal.load-interval", journal.loadInterval());
		Duration shortest = journal.loadInterval().multipliedBy(2);
		check(journal.horizon().compareTo(shortest) >= 0, "journal.horizon", journal.horizon(),
				"it must be at least twice journal.load-interval, which is " + Names.printable(journal.loadInterval())
						+ ": tasks would come to Redis too late");
		check(journal.horizon().compareTo(MIN_HORIZON) >= 0, "journal.horizon", journal.horizon(),
				"it must be at least a second");
		positive("journal.horizon", journal.horizon());
		// drivers wait for a number of seconds that is not large
		check(isWithin(journal.timeout(), Duration.ofDays(1)), "journal.timeout", journal.timeout(),
				"it must be longer than zero, and at most a day");
		batchSize("journal.batch-size", journal.batchSize());
		check(!journal.schema().isBlank(), "journal.schema", journal.schema(),
				"it must not be blank; without a script, set journal.initialize-schema to never");
	}

	/** In general, it is no contradiction: each holds for the queues it is meant for. */
	private static void validate(String name, Queue queue, Journal journal) {
		check(Names.isQueue(name), "queues", name,
				"the name of a queue consists of 1 to 128 letters, digits, '_', '-', '.' and ':'");
		boolean journaled = (queue.journal().enabled() != null) ? queue.journal().enabled() : journal.enabled();
		if (journaled && queue.producer().transaction() == TransactionMode.AFTER_COMMIT) {
			throw new InvalidConfigurationPropertyValueException(
					DelayQueueSettings.prefixOf(name) + "producer.transaction", "after-commit",
					"the queue has a journal, and takes part in the transaction itself");
		}
	}

	private static void positive(String name, @Nullable Duration value) {
		check(value == null || isWithin(value, QueueOptions.MAX_DURATION), name, value,
				"it must be longer than zero, and at most 36500 days");
	}

	private static boolean isWithin(Duration value, Duration most) {
		return value.compareTo(Duration.ZERO) > 0 && value.compareTo(most) <= 0;
	}

	private static void batchSize(String name, int value) {
		check(value >= 1 && value <= TaskStore.MAX_BATCH, name, value,
				"it must be between 1 and " + TaskStore.MAX_BATCH);
	}

	private static void check(boolean valid, String name, @Nullable Object value, String reason) {
		if (!valid) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + name,
					(value instanceof Duration duration) ? Names.printable(duration) : value, reason);
		}
	}

}
