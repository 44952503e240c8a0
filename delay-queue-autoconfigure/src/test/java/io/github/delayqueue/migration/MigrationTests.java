package io.github.delayqueue.migration;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.delayqueue.DelayQueueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for descriptions of migrations, and for what they are made of.
 */
class MigrationTests {

	@Test
	void descriptionMustSayWhereToAndHowToRead() {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> RedissonMigration.from("orders").payload(RedissonPayloads.text()).build())
			.withMessageContaining("no queue to move to");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> RedissonMigration.from("orders").to("order_timeout").build())
			.withMessageContaining("payload(…)");
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> SortedSetMigration.from("orders").build())
			.withMessageContaining("no queue to move to");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> SortedSetMigration.from("orders").to("{braces}").build())
			.withMessageContaining("not allowed");
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> SortedSetMigration.from(""))
			.withMessageContaining("must not be empty");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> SortedSetMigration.from("orders").scores(TimeUnit.DAYS))
			.withMessageContaining("SECONDS or MILLISECONDS");
	}

	@Test
	void settingsMustBePossible() {
		for (Duration interval : new Duration[] { Duration.ZERO, Duration.ofSeconds(-1) }) {
			assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> new MigrationSettings("a:", interval, 1, false))
				.withMessageContaining("delay-queue.migration.interval");
		}
		for (int batchSize : new int[] { 0, 501 }) {
			assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> new MigrationSettings("a:", Duration.ofSeconds(1), batchSize, false))
				.withMessageContaining("delay-queue.migration.batch-size");
		}
	}

	@ParameterizedTest
	@CsvSource({ "1795195739264, 1, 2026-11-20T17:28:59.264Z", "1795195739264.25, 1, 2026-11-20T17:28:59.265Z",
			"1795195739, 1000, 2026-11-20T17:28:59Z", "1795195739.5, 1000, 2026-11-20T17:28:59.500Z",
			"1.795195739264e+12, 1, 2026-11-20T17:28:59.264Z", "-1, 1, 1970-01-01T00:00:00Z",
			"inf, 1, 9999-12-31T23:59:59.999Z", "-inf, 1, 1970-01-01T00:00:00Z",
			"1e300, 1000, 9999-12-31T23:59:59.999Z" })
	void scoresAreDueTimes(String score, long unit, Instant dueAt) {
		assertThat(Scores.dueAt(score, unit)).isEqualTo(dueAt);
	}

	@ParameterizedTest
	@CsvSource({ "t:5:abc, TAKEN, 5, abc", "d:0:, TAKEN_DUE, 0, ''", "s:1e3:a:b, STORED, 1e3, a:b" })
	void recordsAreRead(String text, MovingRecord.State state, String score, String content) {
		MovingRecord record = MovingRecord.read(MovingKeys.bytes("key"), MovingKeys.bytes(text));
		assertThat(record).isNotNull();
		assertThat(record.state()).isEqualTo(state);
		assertThat(record.score()).isEqualTo(score);
		assertThat(record.taskId()).isEqualTo(content);
	}

	@ParameterizedTest
	@CsvSource({ "''", "t", "t:", "t:5", "x:5:abc", "tt5:abc" })
	void whatIsNoRecordIsPassedOver(String text) {
		assertThat(MovingRecord.read(MovingKeys.bytes("key"), MovingKeys.bytes(text))).isNull();
	}

}
