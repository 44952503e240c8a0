package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

import org.springframework.util.unit.DataSize;

import io.github.delayqueue.Names;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Journal;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Queue;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Retry;
import io.github.delayqueue.journal.TransactionMode;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.RateLimit;
import io.github.delayqueue.store.TaskStore;

/**
 * Finds property values that are not possible, alone or together.
 */
final class PropertiesValidator {

	private static final String PREFIX = "delay-queue.";

	private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_\\-]+");

	private static final Pattern HOST = Pattern.compile("\\*|[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

	private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_~\\-]([A-Za-z0-9_~.\\-])*)+");

	private static final Duration MIN_HORIZON = Duration.ofSeconds(1);

	private PropertiesValidator() {
	}

	/**
	 * Check properties.
	 * @param properties the properties
	 * @param general the general ones among them, as if they were those of a queue
	 * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException
	 * naming the first property whose value is not possible
	 */
	static void validate(DelayQueueProperties properties, Queue general) {
		PropertyChecks checks = new PropertyChecks(PREFIX);
		String keyPrefix = properties.keyPrefix();
		checks.check(!keyPrefix.isBlank(), "key-prefix", keyPrefix, "it must not be blank");
		checks.check(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0, "key-prefix", keyPrefix,
				"it must not contain braces, which mark the name of the queue as hash tag of a cluster");
		checks.positive("command-timeout", properties.commandTimeout());
		checks.notNegative("observation.link-after", properties.observation().linkAfter());
		String path = properties.dashboard().path();
		checks.check(PATH.matcher(path).matches(), "dashboard.path", path,
				"it must begin with a slash, not end with one, and have segments of letters, digits, '_', '-', '.' and '~'");
		properties.dashboard()
			.allowedHosts()
			.forEach((host) -> checks.check(HOST.matcher(host).matches(), "dashboard.allowed-hosts", host,
					"it must be the name of a host, without scheme and port, or '*' for any"));
		checks.positive("health.max-lag", properties.health().maxLag());
		validate(checks, properties.journal());
		checks.positive("migration.interval", properties.migration().interval());
		checks.between("migration.batch-size", properties.migration().batchSize(), 1, TaskStore.MAX_BATCH);
		validate(checks, general, general);
		for (Map.Entry<String, Queue> queue : properties.queues().entrySet()) {
			String name = queue.getKey();
			checks.check(Names.isQueue(name), "queues", name,
					"the name of a queue consists of 1 to 128 letters, digits, '_', '-', '.' and ':'");
			PropertyChecks ofQueue = new PropertyChecks(prefix(name));
			validate(ofQueue, queue.getValue(), general);
			validateTransaction(ofQueue, queue.getValue(), properties.journal());
		}
	}

	private static void validate(PropertyChecks checks, Journal journal) {
		checks.positive("journal.load-interval", journal.loadInterval());
		Duration shortest = journal.loadInterval().multipliedBy(2);
		checks.check(journal.horizon().compareTo(shortest) >= 0, "journal.horizon", journal.horizon(),
				"it must be at least twice journal.load-interval, which is " + journal.loadInterval()
						+ ": tasks would come to Redis too late");
		checks.check(journal.horizon().compareTo(MIN_HORIZON) >= 0, "journal.horizon", journal.horizon(),
				"it must be at least a second");
		checks.positive("journal.timeout", journal.timeout());
		checks.between("journal.batch-size", journal.batchSize(), 1, TaskStore.MAX_BATCH);
		checks.check(!journal.schema().isBlank(), "journal.schema", journal.schema(),
				"it must not be blank; without a script, set journal.initialize-schema to never");
	}

	/** In general, it is no contradiction: each holds for the queues it is meant for. */
	private static void validateTransaction(PropertyChecks checks, Queue queue, Journal journal) {
		boolean journaled = (queue.journal() != null) ? queue.journal() : journal.enabled();
		TransactionMode transaction = queue.producer().transaction();
		checks.check(!(journaled && transaction == TransactionMode.AFTER_COMMIT), "producer.transaction",
				"after-commit", "the queue has a journal, and takes part in the transaction itself");
	}

	private static String prefix(String queue) {
		String queues = PREFIX + "queues";
		return PLAIN_NAME.matcher(queue).matches() ? queues + "." + queue + "." : queues + "[" + queue + "].";
	}

	private static void validate(PropertyChecks checks, Queue queue, Queue general) {
		checks.between("partitions", queue.partitions(), 1, Partitions.MAX);
		checks.atLeast("global-concurrency", queue.globalConcurrency(), 1);
		validateLimits(checks, queue);
		checks.positive("expires-after", queue.expiresAfter());
		checks.positive("poll-interval", queue.pollInterval());
		checks.between("claim-limit", queue.claimLimit(), 1, TaskStore.MAX_BATCH);
		validate(checks, queue.listener());
		validate(checks, queue.retry());
		checks.atLeast("dead-letter.max-size", queue.deadLetter().maxSize(), 1);
		checks.positive("dead-letter.retention", queue.deadLetter().retention());
		checks.notNegative("completed.retention", queue.completed().retention());
		DataSize maxPayloadSize = queue.producer().maxPayloadSize();
		checks.check(maxPayloadSize == null || maxPayloadSize.toBytes() > 0, "producer.max-payload-size",
				maxPayloadSize, "it must be at least one byte");
		checks.atLeast("producer.min-replicas", queue.producer().minReplicas(), 0);
		validateBatch(checks, queue, general);
		validateShare(checks, queue, general);
	}

	private static void validateShare(PropertyChecks checks, Queue queue, Queue general) {
		Long own = queue.deadLetter().maxSize();
		Long inherited = general.deadLetter().maxSize();
		int partitions = queue.partitions();
		if (own != null) {
			checks.check(own >= partitions, "dead-letter.max-size", own,
					"it must not be below partitions, which is " + partitions + ": each keeps at least one");
		}
		else {
			checks.check(inherited == null || inherited >= partitions, "partitions", partitions,
					"it must not be above dead-letter.max-size, which is " + inherited + ": each keeps at least one");
		}
	}

	private static void validateLimits(PropertyChecks checks, Queue queue) {
		int partitions = queue.partitions();
		String reason = "it must not be below partitions, which is " + partitions + ": each gets its share of it";
		Integer inFlight = queue.globalConcurrency();
		checks.check(inFlight == null || inFlight >= partitions, "global-concurrency", inFlight, reason);
		String rate = queue.rateLimit();
		if (rate != null) {
			checks.check(parse(checks, rate).tasks() >= partitions, "rate-limit", rate, reason);
		}
	}

	private static RateLimit parse(PropertyChecks checks, String rate) {
		try {
			return RateLimit.parse(rate);
		}
		catch (IllegalArgumentException ex) {
			throw checks.invalid("rate-limit", rate, ex.getMessage());
		}
	}

	private static void validate(PropertyChecks checks, Queue.Listener listener) {
		checks.atLeast("listener.concurrency", listener.concurrency(), 1);
		checks.positive("listener.ttr", listener.ttr());
		checks.positive("listener.timeout", listener.timeout());
		checks.notNegative("listener.shutdown-timeout", listener.shutdownTimeout());
		checks.between("listener.batch-size", listener.batchSize(), 1, TaskStore.MAX_BATCH);
	}

	private static void validate(PropertyChecks checks, Retry retry) {
		checks.atLeast("retry.max-attempts", retry.maxAttempts(), 1);
		checks.atLeast("retry.max-expiries", retry.maxExpiries(), 1);
		checks.notNegative("retry.delay", retry.delay());
		checks.between("retry.multiplier", retry.multiplier(), 1, Integer.MAX_VALUE);
		checks.notNegative("retry.increment", retry.increment());
		checks.notNegative("retry.max-delay", retry.maxDelay());
		checks.between("retry.jitter", retry.jitter(), 0, 1);
		if (retry.delays() != null) {
			checks.check(retry.delays().size() <= RetryOptions.MAX_DELAYS, "retry.delays",
					retry.delays().size() + " delays", "there can be at most " + RetryOptions.MAX_DELAYS);
			retry.delays().forEach((delay) -> checks.notNegative("retry.delays", delay));
		}
		boolean grows = retry.multiplier() != null && retry.multiplier() > 1;
		boolean increases = retry.increment() != null && !retry.increment().isZero();
		checks.check(!(grows && increases), "retry.increment", retry.increment(),
				"delays grow either by an increment or by a multiplier: leave out one of them");
	}

	private static void validateBatch(PropertyChecks checks, Queue queue, Queue general) {
		Integer batchSize = queue.listener().batchSize();
		Integer claimLimit = queue.claimLimit();
		if (batchSize != null) {
			int limit = (claimLimit != null) ? claimLimit : general.claimLimit();
			checks.check(batchSize <= limit, "listener.batch-size", batchSize,
					"it must not be above claim-limit, which is " + limit + ": no claim could fill a batch");
		}
		else if (claimLimit != null) {
			int size = general.listener().batchSize();
			checks.check(size <= claimLimit, "claim-limit", claimLimit,
					"it must not be below listener.batch-size, which is " + size + ": no claim could fill a batch");
		}
	}

}
