package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The second claim, which is made beside that of the loop while very much is due: what
 * becomes of it when it alone fails. It is known by its thread.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClaimsBesideTests {

	private static final String QUEUE = "orders";

	private static final int TASKS = 5000;

	private final MutableClock clock = new MutableClock(Instant.now());

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	private final ListenerFixture instance = new ListenerFixture(this.store);

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	/** Claims that were made beside those of the loop. */
	private final AtomicInteger beside = new AtomicInteger();

	/** Set as long as these do not succeed. */
	private final AtomicBoolean broken = new AtomicBoolean(true);

	private final CountDownLatch answer = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.answer.countDown();
		this.instance.close();
	}

	@Test
	void failureDelaysNothingAndIsTriedAgain() {
		this.store.before(Step.CLAIM, () -> {
			giveTheOtherTime();
			failBeside();
		});
		schedule("first-");
		DelayQueueListenerContainer container = register(Duration.ofSeconds(30));
		assertHandledOnce(TASKS);
		assertThat(this.beside).hasPositiveValue();
		// else it may handle them as fast as they are scheduled
		container.stop();
		this.broken.set(false);
		this.beside.set(0);
		schedule("second-");
		container.start();
		assertHandledOnce(2 * TASKS);
		assertThat(this.beside).hasPositiveValue();
		QueueStats.Totals totals = this.store.stats(QUEUE).totals();
		assertThat(totals.expired() + totals.stale() + totals.retried()).isZero();
	}

	@Test
	void tasksWhoseClaimWasAnsweredToNobodyAreDeliveredAgain() {
		this.store.before(Step.CLAIM, this::giveTheOtherTime);
		this.store.after(Step.CLAIM, this::failBeside);
		schedule("task-");
		DelayQueueListenerContainer container = register(Duration.ofSeconds(30));
		await().until(() -> this.beside.get() > 0);
		// finishes all that it got
		container.stop();
		assertThat(this.store.stats(QUEUE).inFlight()).as("tasks that nobody got").isPositive();
		this.clock.advance(Duration.ofSeconds(31));
		this.broken.set(false);
		container.start();
		assertHandledOnce(TASKS);
		QueueStats.Totals totals = this.store.stats(QUEUE).totals();
		assertThat(totals.expired()).as("leases of the tasks that nobody got").isPositive();
		assertThat(totals.stale()).isZero();
	}

	@Test
	void stoppingWaitsForItAndHandsBackWhatItBrings() {
		this.store.before(Step.CLAIM, () -> {
			giveTheOtherTime();
			if (isBeside() && this.beside.incrementAndGet() == 1) {
				await().forever().until(() -> this.answer.getCount() == 0);
			}
		});
		schedule("task-");
		DelayQueueListenerContainer container = register(Duration.ofSeconds(30));
		await().until(() -> this.beside.get() > 0);
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(container::stop);
		await().during(Duration.ofMillis(200)).until(() -> !stopped.isDone());
		this.answer.countDown();
		assertThat(stopped).succeedsWithin(Duration.ofSeconds(10));
		QueueStats stats = this.store.stats(QUEUE);
		assertThat(stats.inFlight()).isZero();
		assertThat(stats.scheduled() + stats.totals().completed()).isEqualTo(TASKS);
		assertThat(this.handled).hasSize((int) stats.totals().completed());
	}

	private void giveTheOtherTime() {
		LockSupport.parkNanos(5_000_000);
	}

	private void failBeside() {
		if (isBeside()) {
			this.beside.incrementAndGet();
			if (this.broken.get()) {
				throw new DelayQueueException(null, null, "The claim beside another fails for a test");
			}
		}
	}

	private static boolean isBeside() {
		return Thread.currentThread().getName().startsWith("delay-queue-beside-");
	}

	private DelayQueueListenerContainer register(Duration ttr) {
		return this.instance.register(QUEUE, (task, context) -> {
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, ListenerOptions.builder().ttr(ttr).build());
	}

	private void schedule(String prefix) {
		for (int i = 0; i < TASKS; i++) {
			this.instance.schedule(QUEUE, prefix + i, "payload", Duration.ZERO);
		}
	}

	private void assertHandledOnce(int tasks) {
		await().until(() -> this.store.stats(QUEUE).totals().completed() == tasks);
		assertThat(this.handled).hasSize(tasks);
		assertThat(this.handled.values()).containsOnly(1);
	}

}
