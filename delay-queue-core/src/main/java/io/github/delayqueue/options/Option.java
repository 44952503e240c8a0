package io.github.delayqueue.options;

import java.time.Duration;
import java.util.function.Predicate;

import org.springframework.util.unit.DataSize;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.TaskStore;

/**
 * The options: what they are called and what values are possible. The only place that
 * knows their bounds, besides {@link io.github.delayqueue.retry.RetryOptions}.
 */
enum Option {

	AUTO_STARTUP("listener.auto-startup"),

	CONCURRENCY("listener.concurrency", 1, 10_000),

	TTR("listener.ttr", Option::isTtr,
			"between 100 ms and 36500 days (in properties a number without a unit is milliseconds)"),

	RENEW("listener.renew"),

	TIMEOUT("listener.timeout", (timeout) -> isFrom(Duration.ofMillis(1), timeout),
			"between a millisecond and 36500 days"),

	SHUTDOWN_TIMEOUT("listener.shutdown-timeout", (timeout) -> isFrom(Duration.ZERO, timeout),
			"between zero and 36500 days"),

	BATCH_SIZE("listener.batch-size", 1, TaskStore.MAX_BATCH),

	LOG_FAILURES("listener.log-failures"),

	MAX_LEASE_LOSSES("retry.max-lease-losses", 1),

	/** Checks itself. */
	RETRY("retry"),

	NO_RETRY_FOR("retry.no-retry-for"),

	REDELIVERY_POLICY("retry.redelivery-policy"),

	POLL_INTERVAL("listener.poll-interval", (interval) -> isFrom(Duration.ofNanos(1), interval),
			"longer than zero, and at most 36500 days"),

	CLAIM_LIMIT("listener.claim-limit", 1, TaskStore.MAX_BATCH),

	EXPIRES_AFTER("expires-after", Option::isPositive, "longer than zero"),

	PARTITIONS("partitions", 1, Partitions.MAX),

	RATE_LIMIT("rate-limit"),

	GLOBAL_CONCURRENCY("global-concurrency", 1),

	COMPLETED_RETENTION("completed.retention", (value) -> !((Duration) value).isNegative(), "zero or longer"),

	DEAD_RETENTION("dead-letter.retention", Option::isPositive, "longer than zero"),

	DEAD_MAX_SIZE("dead-letter.max-size", 1),

	MAX_PAYLOAD_SIZE("producer.max-payload-size", (value) -> ((DataSize) value).toBytes() >= 1, "at least one byte"),

	MIN_REPLICAS("producer.min-replicas", 0),

	JOURNAL("journal.enabled"),

	AFTER_COMMIT("producer.after-commit");

	static final Duration MIN_TTR = Duration.ofMillis(100);

	static final Duration MAX_DURATION = Duration.ofDays(36_500);

	private final String property;

	private final Predicate<Object> possible;

	private final String rule;

	Option(String property) {
		this(property, (value) -> true, "");
	}

	Option(String property, int min) {
		this(property, (value) -> ((Number) value).longValue() >= min, "at least " + min);
	}

	Option(String property, int min, int max) {
		this(property, (value) -> (Integer) value >= min && (Integer) value <= max, "between " + min + " and " + max);
	}

	Option(String property, Predicate<Object> possible, String rule) {
		this.property = property;
		this.possible = possible;
		this.rule = rule;
	}

	private static boolean isTtr(Object value) {
		return isFrom(MIN_TTR, value);
	}

	private static boolean isFrom(Duration min, Object value) {
		return min.compareTo((Duration) value) <= 0 && MAX_DURATION.compareTo((Duration) value) >= 0;
	}

	private static boolean isPositive(Object duration) {
		return ((Duration) duration).compareTo(Duration.ZERO) > 0;
	}

	void check(Object value) {
		if (!this.possible.test(value)) {
			// whose own text goes by the default locale
			Object shown = (value instanceof DataSize size) ? size.toBytes() + "B" : value;
			throw new InvalidOptionException(this.property, shown, "it must be " + this.rule);
		}
	}

	/** Its name below the properties of a queue. */
	@Override
	public String toString() {
		return this.property;
	}

}
