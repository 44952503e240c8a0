package io.github.delayqueue.migration;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.migration.MovingArea.MovingRecord;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

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
	@ValueSource(strings = { "orders", "{orders}", "shop{orders}", "orders{open", "a{b{c", "{a{b}c}" })
	void movingAreaIsInTheSlotOfItsSource(String source) {
		String key = MovingArea.key("delay:queue:", source);
		assertThat(List.of(key, key + ":lock", key + ":totals"))
			.allMatch((each) -> SlotHash.getSlot(each) == SlotHash.getSlot(source));
	}

	@Test
	void sourcesThatWouldShareAMovingAreaAreRefused() {
		LettuceConnectionFactory here = new LettuceConnectionFactory("here", 1);
		LettuceConnectionFactory there = new LettuceConnectionFactory("there", 1);
		Migration orders = SortedSetMigration.from("orders").to("q").build();
		assertThatNoException().isThrownBy(
				() -> runner(here, orders, SortedSetMigration.from("orders").to("q").connectionFactory(there).build()));
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> runner(here, orders,
					SortedSetMigration.from("orders").to("other").connectionFactory(here).build()))
			.withMessage("Two migrations move 'orders'");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> runner(here, orders, SortedSetMigration.from("{orders}").to("q").build()))
			.withMessageContainingAll("'orders'", "'{orders}'", "'a:moving:{orders}'");
	}

	private static MigrationRunner runner(RedisConnectionFactory connections, Migration... migrations) {
		TaskStore store = new InMemoryTaskStore(Clock.systemUTC());
		TaskCodec codec = Codecs.create();
		Destination destination = new Destination(
				new DelayQueueTemplate(store, codec, TaskEvents.NONE, (queue) -> QueueOptions.DEFAULTS), codec,
				(queue) -> 1000);
		return new MigrationRunner(List.of(migrations), connections, destination,
				new MigrationSettings("a:", Duration.ofSeconds(1), 1, false));
	}

	@ParameterizedTest
	@CsvSource({ "1795195739264, 1, 2026-11-20T17:28:59.264Z", "1795195739264.25, 1, 2026-11-20T17:28:59.265Z",
			"1795195739, 1000, 2026-11-20T17:28:59Z", "1795195739.5, 1000, 2026-11-20T17:28:59.500Z",
			"1.795195739264e+12, 1, 2026-11-20T17:28:59.264Z", "-1, 1, 1970-01-01T00:00:00Z",
			"inf, 1, 9999-12-31T23:59:59.999Z", "-inf, 1, 1970-01-01T00:00:00Z",
			"1e300, 1000, 9999-12-31T23:59:59.999Z" })
	void scoresAreDueTimes(String score, long unit, Instant dueAt) {
		Source source = new Source("orders", List.of(), unit, UnaryOperator.identity());
		assertThat(source.dueAt(Source.score(score))).isEqualTo(dueAt);
	}

	@ParameterizedTest
	@CsvSource({ "t:5:abc, false, 5, abc", "d:0:, true, 0, ''", "t:1e3:a:b, false, 1000, a:b",
			"t:-inf:a, false, -Infinity, a" })
	void recordsAreRead(String text, boolean due, double score, String content) {
		MovingRecord record = MovingRecord.read("key", Tasks.bytes(text));
		assertThat(record).isNotNull();
		assertThat(record.due()).isEqualTo(due);
		assertThat(record.score()).isEqualTo(score);
		assertThat(record.content()).isEqualTo(Tasks.bytes(content));
	}

	@ParameterizedTest
	@CsvSource({ "''", "t", "t:", "t:5", "x:5:abc", "tt5:abc", "t::abc", "t:five:abc" })
	void whatIsNoRecordIsPassedOver(String text) {
		assertThat(MovingRecord.read("key", Tasks.bytes(text))).isNull();
	}

}
