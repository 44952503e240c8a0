package io.github.delayqueue.fleet;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ConsumersCache}: how often the store is asked.
 */
class ConsumersCacheTests {

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 7);

	private final ConsumersCache cache = new ConsumersCache(this.store, this.nanos::get);

	@Test
	void asksAtMostOnceASecond() {
		this.cache.get();
		this.nanos.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
		assertThat(this.cache.get()).isPresent();
		assertThat(looks()).isOne();
		this.nanos.incrementAndGet();
		assertThat(this.cache.get()).isPresent();
		assertThat(looks()).isEqualTo(2);
	}

	@Test
	void allInstancesTogetherTakeATwentiethOfTheTimeOfTheStore() {
		String trace = trace();
		IntStream.range(0, 100)
			.forEach((i) -> this.store.requireRole(InstanceTraces.class).attend("instance-" + i, trace));
		long nanosOfALook = 100L * trace.length() * ConsumersCache.NANOS_PER_CHARACTER;
		long expected = 20 * 100 * nanosOfALook;
		this.cache.get();
		this.nanos.addAndGet(expected - 1);
		this.cache.get();
		assertThat(looks()).isOne();
		this.nanos.incrementAndGet();
		this.cache.get();
		assertThat(looks()).isEqualTo(2);
	}

	@Test
	void failureIsRememberedForASecond() {
		this.store.fail(Step.ATTENDANCE);
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(this.cache::get);
		}
		assertThat(looks()).isOne();
		this.store.heal();
		this.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(this.cache.get()).isPresent();
	}

	@Test
	void thoseWhoComeMeanwhileShareALookThatGoesOn() {
		CountDownLatch away = new CountDownLatch(1);
		this.store.before(Step.ATTENDANCE, () -> awaitUninterrupted(away));
		List<CompletableFuture<Optional<Consumers>>> all = IntStream.range(0, 4)
			.mapToObj((i) -> CompletableFuture.supplyAsync(this.cache::get, (task) -> new Thread(task).start()))
			.toList();
		await().until(() -> looks() == 1);
		this.nanos.addAndGet(Duration.ofHours(1).toNanos());
		away.countDown();
		all.forEach((one) -> assertThat(one.join()).isPresent());
		assertThat(looks()).isOne();
	}

	private int looks() {
		return this.store.calls(Step.ATTENDANCE);
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String trace() {
		return "{\"every\":20000,\"consumers\":[{\"queue\":\"" + "q".repeat(100) + "\"}]}" + " ".repeat(50_000);
	}

}
