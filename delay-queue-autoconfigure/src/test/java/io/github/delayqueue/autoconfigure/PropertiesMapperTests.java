package io.github.delayqueue.autoconfigure;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PropertiesMapper}.
 */
class PropertiesMapperTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			key-prefix                  | my{prefix}: | braces
			key-prefix                  | ' '         | blank
			command-timeout             | 0s          | longer than zero
			listener.instance-timeout         | 1999ms      | between 2 seconds
			listener.instance-timeout         | -1s         | between 2 seconds
			listener.instance-timeout         | 61m         | and an hour; or 0
			listener.scheduler-pool-size | 0          | between 1 and 1000
			listener.scheduler-pool-size | 1001       | between 1 and 1000
			listener.poll-interval      | 0s          | longer than zero
			listener.prefetch        | 0           | between 1 and 500
			listener.prefetch        | 501         | between 1 and 500
			listener.concurrency        | 0           | between 1 and 10000
			listener.concurrency        | 10001       | between 1 and 10000
			listener.lease-duration                | 99ms        | between 100 ms and 36500 days
			listener.lease-duration                | -1s         | between 100 ms and
			listener.lease-duration                | 30          | a number without a unit is milliseconds
			listener.lease-duration                | 1000000d    | between 100 ms and 36500 days
			listener.handler-timeout            | 0s          | between a millisecond and 36500 days
			listener.handler-timeout            | 1000000d    | between a millisecond and 36500 days
			listener.shutdown-timeout   | -1s         | between zero and 36500 days
			listener.shutdown-timeout   | 1000000d    | between zero and 36500 days
			listener.batch-size         | 0           | between 1 and 500
			listener.batch-size         | 501         | between 1 and 500
			retry.max-attempts          | 0           | at least 1
			retry.max-lease-losses          | 0           | at least 1
			retry.delay                 | -1s         | zero or longer
			retry.multiplier            | 0.9         | at least 1
			retry.multiplier            | Infinity    | at least 1
			retry.multiplier            | NaN         | at least 1
			retry.increment             | -1s         | zero or longer
			retry.max-delay             | -1s         | zero or longer
			retry.jitter                | -0.1        | between 0 and 1
			retry.jitter                | 1.1         | between 0 and 1
			retry.delays                | 1s,-1s      | zero or longer
			retry.delay-after-false     | -1s         | zero or longer
			dead-letter.max-size        | 0           | at least 1
			dead-letter.retention       | 0s          | longer than zero
			completed.retention         | -1s         | zero or longer
			producer.max-payload-size   | 0B          | at least one byte
			producer.min-replicas       | -1          | at least 0
			queues.a.producer.min-replicas | -1       | at least 0
			journal.horizon             | 1s          | at least twice journal.load-interval, which is 1s
			journal.load-interval       | 0s          | longer than zero
			journal.timeout             | 0s          | longer than zero
			journal.batch-size          | 0           | between 1 and 500
			journal.batch-size          | 501         | between 1 and 500
			journal.schema              | ' '         | not be blank
			migration.interval          | 0s          | longer than zero
			command-timeout             | 25h         | at most a day
			command-timeout             | LEAST       | longer than zero
			listener.instance-timeout         | LEAST       | between 2 seconds
			listener.poll-interval      | MOST        | longer than zero, and at most 36500 days
			observation.link-after      | LEAST       | not be negative
			health.max-lag              | LEAST       | longer than zero
			journal.load-interval       | MOST        | at most 36500 days
			journal.horizon             | MOST        | at most 36500 days
			journal.timeout             | MOST        | at most a day
			migration.interval          | MOST        | at most 36500 days
			retry.delay                 | LEAST       | zero or longer
			completed.retention         | LEAST       | zero or longer
			migration.batch-size        | 0           | between 1 and 500
			migration.batch-size        | 501         | between 1 and 500
			queues.a.partitions         | 0           | between 1 and 256
			queues.a.partitions         | 257         | between 1 and 256
			queues.a.rate-limit         | 100         | such as 100/s, 30/m or 5/h
			queues.a.rate-limit         | fast        | such as 100/s, 30/m or 5/h
			queues.a.rate-limit         | 100/day     | such as 100/s, 30/m or 5/h
			queues.a.rate-limit         | -1/s        | such as 100/s, 30/m or 5/h
			queues.a.rate-limit         | ''          | such as 100/s, 30/m or 5/h
			queues.a.rate-limit         | 0/s         | 1 to 1000000
			queues.a.rate-limit         | 1000001/s   | 1 to 1000000
			queues.a.global-concurrency | 0           | at least 1
			queues.a.groups.concurrency | 0           | at least 1
			queues.a.groups.rate-limit  | fast        | such as 100/s, 30/m or 5/h
			queues.a.global-concurrency | -1          | at least 1
			queues.a.expires-after      | 0s          | longer than zero
			queues.a.listener.poll-interval      | 0s          | longer than zero
			queues.a.listener.prefetch        | 501         | between 1 and 500
			queues.a.listener.lease-duration       | 0s          | between 100 ms and
			queues.a.retry.jitter       | 2           | between 0 and 1
			queues.a.dead-letter.max-size      | 0    | at least 1
			queues.a.completed.retention       | -1s  | zero or longer
			queues.a.producer.max-payload-size | -1B  | at least one byte
			queues.order_timeout.listener.concurrency | 0 | between 1 and
			queues[shop.orders:1].listener.concurrency | 0 | between 1 and
			""")
	void impossibleValueIsAnErrorThatNamesTheProperty(String name, String value, String reason) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> DelayQueuePropertiesTests.settings(name, duration(value)))
			.satisfies((ex) -> {
				assertThat(ex.getName()).isEqualTo("delay-queue." + name);
				assertThat(ex.getReason()).contains(reason);
			});
	}

	@ParameterizedTest
	@CsvSource({ "listener.prefetch, 1", "listener.prefetch, 500", "listener.shutdown-timeout, 0s",
			"listener.instance-timeout, 0", "listener.instance-timeout, 2s", "listener.instance-timeout, 1h",
			"retry.delay, 0s", "retry.multiplier, 1", "retry.jitter, 0", "retry.jitter, 1", "retry.max-attempts, 1",
			"completed.retention, 0s", "producer.min-replicas, 0", "journal.horizon, 2s", "journal.batch-size, 1",
			"journal.batch-size, 500", "journal.load-interval, 1ms", "queues.a.listener.prefetch, 500",
			"queues.a.partitions, 1", "queues.a.partitions, 256", "queues.a.rate-limit, 1/h",
			"queues.a.rate-limit, 1000000/s", "queues.a.global-concurrency, 1" })
	void valueOnTheBoundIsAccepted(String name, String value) {
		assertThat(DelayQueuePropertiesTests.settings(name, value)).isNotNull();
	}

	@Test
	void queueNameThatIsNotAllowedIsAnError() {
		assertInvalid("delay-queue.queues", "letters, digits", "queues[order timeout].listener.prefetch", "1");
	}

	@Test
	void batchSizeAboveThePrefetchIsAnError() {
		assertInvalid("delay-queue.listener.prefetch", "batch-size, which is 101", "listener.prefetch", "100",
				"listener.batch-size", "101");
		assertInvalid("delay-queue.queues.a.listener.batch-size", "prefetch, which is 50", "listener.prefetch", "50",
				"queues.a.listener.batch-size", "60");
		assertInvalid("delay-queue.queues.a.listener.prefetch", "batch-size, which is 20", "listener.batch-size", "20",
				"queues.a.listener.prefetch", "10");
	}

	@Test
	void fewerDeadTasksThanPartitionsAreAnError() {
		assertInvalid("delay-queue.queues.a.dead-letter.max-size", "partitions, which is 8", "queues.a.partitions", "8",
				"queues.a.dead-letter.max-size", "7");
		assertInvalid("delay-queue.queues.a.partitions", "dead-letter.max-size, which is 7", "queues.a.partitions", "8",
				"dead-letter.max-size", "7");
		assertThat(DelayQueuePropertiesTests.settings("queues.a.partitions", "8", "queues.a.dead-letter.max-size", "8",
				"dead-letter.max-size", "7"))
			.isNotNull();
	}

	@Test
	void limitBelowTheNumberOfPartitionsIsAnErrorThatNamesBoth() {
		assertInvalid("delay-queue.queues.a.rate-limit", "partitions, which is 8", "queues.a.partitions", "8",
				"queues.a.rate-limit", "7/s");
		assertInvalid("delay-queue.queues.a.global-concurrency", "partitions, which is 8", "queues.a.partitions", "8",
				"queues.a.global-concurrency", "7");
		assertThat(DelayQueuePropertiesTests.settings("queues.a.partitions", "8", "queues.a.rate-limit", "8/h",
				"queues.a.global-concurrency", "8"))
			.isNotNull();
	}

	@Test
	void groupsInSeveralPartitionsAreAnError() {
		assertInvalid("delay-queue.queues.a.partitions", "it must be 1 with groups.enabled", "queues.a.partitions", "8",
				"queues.a.groups.enabled", "true");
		assertThat(DelayQueuePropertiesTests
			.settings("queues.a.groups.enabled", "true", "queues.a.groups.concurrency", "1", "queues.b.partitions", "8")
			.hasGroups()).isTrue();
	}

	@Test
	void incrementTogetherWithAMultiplierIsAnError() {
		assertInvalid("delay-queue.retry.increment", "remove one of the two", "retry.increment", "1s",
				"retry.multiplier", "2");
	}

	@Test
	void horizonBelowASecondIsAnError() {
		assertInvalid("delay-queue.journal.horizon", "at least a second", "journal.horizon", "999ms",
				"journal.load-interval", "10ms");
	}

	@Test
	void queueThatIsToHaveAJournalAndWaitForTheCommitIsAnError() {
		assertInvalid("delay-queue.queues.a.producer.transaction", "the queue has a journal",
				"queues.a.journal.enabled", "true", "queues.a.producer.transaction", "after-commit");
		assertInvalid("delay-queue.queues.a.producer.transaction", "the queue has a journal", "journal.enabled", "true",
				"queues.a.producer.transaction", "after-commit");
		assertThat(DelayQueuePropertiesTests.settings("journal.enabled", "true", "producer.transaction", "after-commit",
				"queues.a.journal.enabled", "false", "queues.a.producer.transaction", "after-commit"))
			.isNotNull();
	}

	/** The extremes have no shorter name. */
	private static String duration(String value) {
		return switch (value) {
			case "LEAST" -> Duration.ofSeconds(Long.MIN_VALUE).toString();
			case "MOST" -> Duration.ofSeconds(Long.MAX_VALUE).toString();
			default -> value;
		};
	}

	private static void assertInvalid(String name, String reason, String... pairs) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> DelayQueuePropertiesTests.settings(pairs))
			.satisfies((ex) -> {
				assertThat(ex.getName()).isEqualTo(name);
				assertThat(ex.getReason()).contains(reason);
			});
	}

}
