package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
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
import io.github.delayqueue.lostclaims.LostClaimRelease;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.Patience;

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

	private static final Duration LEASE_DURATION = Duration.ofSeconds(30);

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	private final ListenerFixture instance = new ListenerFixture(this.store, ListenerFixture.defaults(),
			ListenerFixture.threads(), List.of(new LostClaimRelease()));

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final AtomicInteger scheduled = new AtomicInteger();

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
		schedule();
		DelayQueueListenerContainer container = register();
		assertAllHandledOnce();
		assertThat(this.beside).hasPositiveValue();
		// else it may handle them as fast as they are scheduled
		container.stop();
		this.broken.set(false);
		this.beside.set(0);
		schedule();
		container.start();
		assertAllHandledOnce();
		assertThat(this.beside).hasPositiveValue();
		QueueStats.Totals totals = QueueView.of(this.store).stats(QUEUE).totals();
		assertThat(totals.leasesLost() + totals.stale() + totals.retried()).isZero();
	}

	@Test
	void tasksWhoseClaimWasAnsweredToNobodyAreReleasedUntried() {
		this.store.before(Step.CLAIM, this::giveTheOtherTime);
		this.store.after(Step.CLAIM, this::failBeside);
		schedule();
		register();
		await().until(() -> this.beside.get() > 0);
		this.broken.set(false);
		assertAllHandledOnce();
		QueueStats.Totals totals = QueueView.of(this.store).stats(QUEUE).totals();
		assertThat(totals.leasesLost() + totals.stale() + totals.retried()).isZero();
	}

	@Test
	void stoppingWaitsForItAndReleasesWhatItBrings() {
		this.store.before(Step.CLAIM, () -> {
			giveTheOtherTime();
			if (isBeside() && this.beside.incrementAndGet() == 1) {
				await().forever().until(() -> this.answer.getCount() == 0);
			}
		});
		schedule();
		DelayQueueListenerContainer container = register();
		await().until(() -> this.beside.get() > 0);
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(container::stop);
		await().during(Duration.ofMillis(200)).until(() -> !stopped.isDone());
		this.answer.countDown();
		assertThat(stopped).succeedsWithin(Patience.LIMIT);
		QueueStats stats = QueueView.of(this.store).stats(QUEUE);
		assertThat(stats.inFlight()).isZero();
		assertThat(stats.waiting() + stats.totals().completed()).isEqualTo(this.scheduled.get());
		assertThat(this.handled).hasSize((int) stats.totals().completed());
	}

	/** Other queues, and dead-letter moves, use the same threads. */
	@Test
	void endsAfterATurnThoughMuchIsLeft() {
		List<Integer> turns = new ArrayList<>();
		ManualThreads threads = new ManualThreads(new InlineCalls(), (claims) -> {
			int before = this.store.calls(Step.CLAIM);
			claims.run();
			return turns.add(this.store.calls(Step.CLAIM) - before);
		});
		this.instance.close();
		this.beside.set(1);
		try (ListenerFixture driven = new ListenerFixture(this.store, ListenerFixture.defaults(), threads)) {
			schedule();
			driven.register(QUEUE, (task, context) -> TaskResult.done(),
					ListenerOptions.builder().concurrency(100).build());
			for (int i = 0; i < 100 && threads.claims.armed() > 0; i++) {
				threads.claims.last().fire();
			}
		}
		// none where handlers have left no worker to claim for
		assertThat(turns).allSatisfy((claims) -> assertThat(claims).isLessThanOrEqualTo(8))
			.anySatisfy((claims) -> assertThat(claims).isPositive());
	}

	/** Calls that are made at once, on the thread that they come on. */
	private static final class InlineCalls implements ContainerThreads.Calls {

		@Override
		public Future<?> schedule(Runnable step, Duration delay) {
			step.run();
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public boolean handOver(Runnable call, boolean suspect) {
			return false;
		}

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

	private DelayQueueListenerContainer register() {
		return this.instance.register(QUEUE, (task, context) -> {
			// as much is due until there was a claim beside
			if (this.beside.get() == 0) {
				scheduleOne();
			}
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, ListenerOptions.builder().leaseDuration(LEASE_DURATION).build());
	}

	private void schedule() {
		for (int i = 0; i < TASKS; i++) {
			scheduleOne();
		}
	}

	private void scheduleOne() {
		this.instance.schedule(QUEUE, "task-" + this.scheduled.getAndIncrement(), "payload", Duration.ZERO);
	}

	private void assertAllHandledOnce() {
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == this.scheduled.get());
		assertThat(this.handled).hasSize(this.scheduled.get());
		assertThat(this.handled.values()).containsOnly(1);
	}

}
