package io.github.delayqueue.histogram;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.ManualThreads;
import io.github.delayqueue.listener.ManualTimer;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.Mockito.mock;

/**
 * {@link HandlerTimes} of instances, and what Redis keeps of them.
 */
class HandlerTimesIntegrationTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration DAY = Duration.ofDays(1);

	private static final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private static RedisStores stores;

	private final String queue = UUID.randomUUID().toString();

	private final ManualThreads threads = new ManualThreads();

	private final RedisHistograms redis = stores.get(0).requireRole(RedisHistograms.class);

	private final HandlerTimes times = join(stores.get(0));

	@BeforeAll
	static void openStore() {
		stores = RedisStores.onShared("times").clock(clock);
		stores.open();
	}

	@AfterAll
	static void closeStore() {
		stores.close();
	}

	private HandlerTimes join(TaskStore store) {
		HandlerTimes times = new HandlerTimes();
		times.join(new ConsumerPart.Scope(store, Codecs.create(), TaskEvents.NONE, this.threads, List::of));
		times.started(mock(ConsumerPart.Consumer.class));
		return times;
	}

	@Test
	void eachTimeCountsToItsBucket() {
		handle(Duration.ZERO, Duration.ofNanos(9_999_999));
		handle(Duration.ofMillis(10), Duration.ofSeconds(59));
		handle(Duration.ofDays(400 * 365), Duration.ofMinutes(5));
		this.times.onEnd(this.queue, "expired", DeliveryOutcome.DEAD, Duration.ZERO, null);
		tick();
		Histograms counted = this.redis.read(this.queue, HOUR);
		assertThat(counted.lateness()).containsExactly(1L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L);
		assertThat(counted.handling()).containsExactly(1L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L, 0L, 1L);
	}

	@Test
	void instancesAddToTheSameQuarterOfAnHourAndADayIsKept() {
		HandlerTimes other = join(stores.get(0));
		for (int quarter = 0; quarter < 200; quarter++) {
			handle(Duration.ZERO, Duration.ofMillis(1));
			other.onStart(this.queue, "task", Duration.ZERO);
			tick();
			clock.advance(Duration.ofMinutes(15));
		}
		assertThat(TestRedis.cli("LLEN", key())).isEqualTo(97L);
		assertThat(sum(this.redis.read(this.queue, HOUR).lateness())).as("the present quarter, and four").isEqualTo(8);
		assertThat(sum(this.redis.read(this.queue, DAY).lateness())).isEqualTo(192);
		clock.advance(DAY);
		assertThat(sum(this.redis.read(this.queue, DAY).lateness())).isZero();
		assertThat((Long) TestRedis.cli("PTTL", key())).isBetween(1L, Duration.ofHours(25).toMillis());
	}

	@Test
	void dayOfAnyCountsTakesLessThan32Kilobytes() {
		for (int quarter = 0; quarter < 97; quarter++) {
			long[] counts = new long[2 * Histograms.SIZE];
			Arrays.fill(counts, 9_999_999);
			this.redis.add(this.queue, counts);
			clock.advance(Duration.ofMinutes(15));
		}
		assertThat((Long) TestRedis.cli("MEMORY", "USAGE", key(), "SAMPLES", "0")).isLessThanOrEqualTo(32_768);
	}

	@Test
	void lastCountsAreToldWhenTheApplicationStops() {
		handle(Duration.ZERO, Duration.ofMillis(1));
		this.times.stopped(true);
		this.threads.watch.due().forEach(ManualTimer.Timer::fire);
		assertThat(sum(this.redis.read(this.queue, HOUR).handling())).isEqualTo(1);
	}

	@Test
	void whatOthersHaveWrittenCountsNothing() {
		TestRedis.cli("RPUSH", key(), "nothing of ours", "9".repeat(600), "99999999999 " + "9".repeat(300));
		assertThat(sum(this.redis.read(this.queue, DAY).handling())).isZero();
		handle(Duration.ZERO, Duration.ofMillis(1));
		tick();
		assertThat(sum(this.redis.read(this.queue, DAY).handling())).isEqualTo(1);
		TestRedis.cli("DEL", key());
		TestRedis.cli("SET", key(), "nothing of ours");
		handle(Duration.ZERO, Duration.ofMillis(1));
		assertThatNoException().isThrownBy(this::tick);
		TestRedis.cli("DEL", key());
		tick();
		assertThat(sum(this.redis.read(this.queue, DAY).handling())).as("told later").isEqualTo(1);
	}

	@Test
	void storeWithoutTheRoleIsNotAsked() {
		ManualThreads none = new ManualThreads();
		HandlerTimes times = new HandlerTimes();
		times.join(
				new ConsumerPart.Scope(new InMemoryTaskStore(clock), Codecs.create(), TaskEvents.NONE, none, List::of));
		times.started(mock(ConsumerPart.Consumer.class));
		times.onStart(this.queue, "task", Duration.ZERO);
		times.stopped(true);
		assertThat(none.watch.timers()).isEmpty();
	}

	private void handle(Duration lateness, Duration took) {
		this.times.onStart(this.queue, "task", lateness);
		this.times.onEnd(this.queue, "task", DeliveryOutcome.SUCCESS, took, null);
	}

	private void tick() {
		this.threads.watch.timers()
			.stream()
			.filter(ManualTimer.Timer::isArmed)
			.toList()
			.forEach(ManualTimer.Timer::fire);
	}

	private static long sum(List<Long> counts) {
		return counts.stream().mapToLong(Long::longValue).sum();
	}

	private String key() {
		return stores.keyPrefix() + "{" + this.queue + "}:times";
	}

}
