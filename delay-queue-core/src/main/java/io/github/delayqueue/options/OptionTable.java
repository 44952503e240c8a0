package io.github.delayqueue.options;

import java.time.Duration;
import java.util.List;

import org.springframework.util.unit.DataSize;

import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.TaskStore;

/**
 * The options of the library, but those of parts: the only place that knows their names,
 * bounds and defaults, besides {@link RetryOptions}. The methods of
 * {@link QueueOptions.Builder} that set them say more. Public for code that reads
 * properties and annotations.
 */
public final class OptionTable {

	public static final Duration MIN_LEASE_DURATION = Duration.ofMillis(100);

	static final Duration MAX_DURATION = Duration.ofDays(36_500);

	public static final Option<Boolean> AUTO_STARTUP = Option.flag("listener.auto-startup", true);

	public static final Option<Integer> CONCURRENCY = Option.number("listener.concurrency", 1, 10_000, 8);

	public static final Option<Duration> LEASE_DURATION = duration("listener.lease-duration", Duration.ofSeconds(30),
			MIN_LEASE_DURATION,
			"between 100 ms and 36500 days (in properties a number without a unit is milliseconds)");

	public static final Option<Boolean> AUTO_RENEW_LEASE = Option.flag("listener.auto-renew-lease", true);

	public static final Option<Duration> HANDLER_TIMEOUT = duration("listener.handler-timeout", Duration.ofHours(1),
			Duration.ofMillis(1), "between a millisecond and 36500 days");

	public static final Option<Duration> SHUTDOWN_TIMEOUT = duration("listener.shutdown-timeout",
			Duration.ofSeconds(25), Duration.ZERO, "between zero and 36500 days");

	public static final Option<FailureLogging> LOG_FAILURES = Option.of("listener.log-failures", FailureLogging.class,
			FailureLogging.FULL);

	public static final Option<Duration> POLL_INTERVAL = duration("listener.poll-interval", Duration.ofSeconds(1),
			Duration.ofNanos(1), "longer than zero, and at most 36500 days");

	public static final Option<Integer> PREFETCH = Option.number("listener.prefetch", 1, TaskStore.MAX_BATCH,
			TaskStore.MAX_BATCH);

	public static final Option<Integer> BATCH_SIZE = Option.number("listener.batch-size", 1, TaskStore.MAX_BATCH, 1);

	public static final Option<Integer> MAX_LEASE_LOSSES = Option.number("retry.max-lease-losses", 1, 5);

	public static final Option<Integer> MAX_ATTEMPTS = Option.of("retry.max-attempts", Integer.class, null);

	public static final Option<Duration> RETRY_DELAY = Option.of("retry.delay", Duration.class, null);

	public static final Option<Double> RETRY_MULTIPLIER = Option.of("retry.multiplier", Double.class, null);

	public static final Option<Duration> RETRY_INCREMENT = Option.of("retry.increment", Duration.class, null);

	public static final Option<Duration> RETRY_MAX_DELAY = Option.of("retry.max-delay", Duration.class, null);

	public static final Option<Double> RETRY_JITTER = Option.of("retry.jitter", Double.class, null);

	public static final Option<List<Duration>> RETRY_DELAYS = Option.of("retry.delays", List.class, null);

	public static final Option<Duration> RETRY_DELAY_AFTER_FALSE = Option.of("retry.delay-after-false", Duration.class,
			null);

	/** Those from {@link #MAX_ATTEMPTS} on as one value, by which they are checked. */
	public static final Option<RetryOptions> RETRY = Option.of("retry", RetryOptions.class, RetryOptions.DEFAULTS);

	public static final Option<List<Class<? extends Throwable>>> NO_RETRY_FOR = Option.of("no-retry-for", List.class,
			List.of());

	public static final Option<RedeliveryPolicy> REDELIVERY_POLICY = Option.of("redelivery-policy",
			RedeliveryPolicy.class, null);

	public static final Option<Duration> EXPIRES_AFTER = Option.<Duration>of("expires-after", Duration.class, null)
		.within(OptionTable::isPositive, "longer than zero");

	public static final Option<Duration> COMPLETED_RETENTION = Option
		.of("completed.retention", Duration.class, Duration.ZERO)
		.within((retention) -> !retention.isNegative(), "zero or longer");

	public static final Option<Duration> DEAD_RETENTION = Option
		.<Duration>of("dead-letter.retention", Duration.class, null)
		.within(OptionTable::isPositive, "longer than zero");

	public static final Option<Long> DEAD_MAX_SIZE = Option.<Long>of("dead-letter.max-size", Long.class, null)
		.within((size) -> size >= 1, "at least 1");

	public static final Option<DataSize> MAX_PAYLOAD_SIZE = Option
		.of("producer.max-payload-size", DataSize.class, DataSize.ofMegabytes(1))
		.within((size) -> size.toBytes() >= 1, "at least one byte");

	public static final Option<Boolean> JOURNAL = Option.flag("journal.enabled", false);

	public static final Option<Boolean> AFTER_COMMIT = Option.flag("producer.transaction", false)
		.readBy((mode) -> mode == TransactionMode.AFTER_COMMIT);

	private static final List<Option<?>> ALL = List.of(AUTO_STARTUP, CONCURRENCY, LEASE_DURATION, AUTO_RENEW_LEASE,
			HANDLER_TIMEOUT, SHUTDOWN_TIMEOUT, LOG_FAILURES, POLL_INTERVAL, PREFETCH, BATCH_SIZE, MAX_LEASE_LOSSES,
			MAX_ATTEMPTS, RETRY_DELAY, RETRY_MULTIPLIER, RETRY_INCREMENT, RETRY_MAX_DELAY, RETRY_JITTER, RETRY_DELAYS,
			RETRY_DELAY_AFTER_FALSE, RETRY, NO_RETRY_FOR, REDELIVERY_POLICY, EXPIRES_AFTER, COMPLETED_RETENTION,
			DEAD_RETENTION, DEAD_MAX_SIZE, MAX_PAYLOAD_SIZE, JOURNAL, AFTER_COMMIT);

	private OptionTable() {
	}

	/** All of them. */
	public static List<Option<?>> all() {
		return ALL;
	}

	private static Option<Duration> duration(String property, Duration byDefault, Duration min, String rule) {
		return Option.of(property, Duration.class, byDefault)
			.within((value) -> min.compareTo(value) <= 0 && MAX_DURATION.compareTo(value) >= 0, rule);
	}

	private static boolean isPositive(Duration duration) {
		return duration.compareTo(Duration.ZERO) > 0;
	}

}
