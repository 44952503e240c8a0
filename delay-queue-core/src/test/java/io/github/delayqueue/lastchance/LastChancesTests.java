package io.github.delayqueue.lastchance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.PatientThreads;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.run.TaskClaim;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tasks that may lose no further lease.
 */
@Execution(ExecutionMode.CONCURRENT)
class LastChancesTests {

	private static final String QUEUE = "orders";

	private static final int TASKS = 4;

	private static final int WORKERS = 4;

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(this.store,
			ListenerFixture.settings(ListenerFixture.FOR_EVER, Retention.NONE, null), new PatientThreads(false),
			List.of(new LastChanceGuard()));

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	@Test
	void runOneAfterTheOther() {
		loseLeases(TASKS);
		register((task) -> LockSupport.parkNanos(20_000_000));
		awaitAllHandledOnce(TASKS);
		assertThat(this.most).hasValue(1);
	}

	@Test
	void runBesideEachOtherOnceAsManyAsRunAtATimeHaveBeenHandled() {
		loseLeases(6 * WORKERS);
		CountDownLatch all = new CountDownLatch(WORKERS);
		register((task) -> {
			if (this.handled.size() > WORKERS) {
				all.countDown();
				assertThat(all.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
		});
		awaitAllHandledOnce(6 * WORKERS);
		assertThat(this.most).hasValue(WORKERS);
	}

	@Test
	void occupyOneWorkerAndOthersRunBeside() {
		loseLeases(TASKS);
		CountDownLatch othersRun = new CountDownLatch(WORKERS - 1);
		for (int i = 0; i < 20; i++) {
			this.instance.schedule(QUEUE, "other-" + i, "payload", Duration.ZERO);
		}
		register((task) -> {
			if (task.id().startsWith("other")) {
				othersRun.countDown();
			}
			assertThat(othersRun.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		});
		awaitAllHandledOnce(TASKS + 20);
	}

	@Test
	void stayWhereTheyAreUntilItIsTheirTurnAndAreSeldomAskedForMeanwhile() {
		loseLeases(TASKS);
		CountDownLatch end = new CountDownLatch(1);
		register((task) -> end.await());
		await().until(() -> this.handled.size() == 1);
		// what is under way when it begins ends
		await().until(() -> this.store.calls(Step.CLAIM) > 1);
		long since = System.nanoTime();
		int before = this.store.calls(Step.CLAIM);
		await().during(Duration.ofMillis(300))
			.until(() -> this.store.calls(Step.CLAIM) - before <= 2
					+ (System.nanoTime() - since) / TaskClaim.WAIT_BESIDE_LAST_CHANCE.toNanos());
		assertThat(QueueView.of(this.store).stats(QUEUE).leasesLost()).isEqualTo(TASKS - 1);
		assertThat(this.store.calls(Step.SETTLE)).isZero();
		end.countDown();
		awaitAllHandledOnce(TASKS);
	}

	@Test
	void letOtherTasksThatComeMeanwhileRun() {
		loseLeases(TASKS);
		// they wait as tasks that are due, so the store wakes nobody for what comes
		List<Settlement> released = this.store
			.claim(QUEUE, ClaimRequest.of("stopped", 2 * TASKS, Duration.ofSeconds(1)))
			.tasks()
			.stream()
			.map((task) -> Endings.release(task.id(), "stopped", null))
			.toList();
		assertThat(this.store.settle(QUEUE, released)).hasSize(TASKS).containsOnly(true);
		CountDownLatch end = new CountDownLatch(1);
		register((task) -> {
			if (!task.id().startsWith("other")) {
				end.await();
			}
		});
		// long enough for the claim that leaves the others to be over
		await().pollDelay(Duration.ofMillis(300))
			.until(() -> this.handled.size() == 1 && this.store.calls(Step.CLAIM) > 1);
		this.instance.schedule(QUEUE, "other", "payload", Duration.ZERO);
		await().until(() -> this.handled.containsKey("other"));
		end.countDown();
		awaitAllHandledOnce(TASKS + 1);
	}

	@Test
	void runOneAfterTheOtherFromAllPartitionsTogether() {
		this.store.partition(TASKS);
		for (String partition : SourceNames.names(QUEUE, TASKS)) {
			this.instance.schedule(partition, partition, "payload", Duration.ZERO);
			this.store.claim(partition, ClaimRequest.of("crashed", 1, Duration.ofMillis(1)));
		}
		this.clock.advance(Duration.ofMillis(1));
		register((task) -> LockSupport.parkNanos(20_000_000));
		await().until(() -> this.handled.size() == TASKS && this.running.get() == 0);
		assertThat(this.most).hasValue(1);
	}

	private void loseLeases(int tasks) {
		for (int i = 0; i < tasks; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
		this.store.claim(QUEUE, ClaimRequest.of("crashed", tasks, Duration.ofMillis(1)));
		this.clock.advance(Duration.ofMillis(1));
		assertThat(QueueView.of(this.store).stats(QUEUE).leasesLost()).isEqualTo(tasks);
	}

	private void register(Work work) {
		this.instance.register(QUEUE, (task, context) -> {
			this.handled.merge(task.id(), 1, Integer::sum);
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			work.on(task);
			this.running.decrementAndGet();
			return TaskResult.done();
		}, ListenerOptions.builder().maxLeaseLosses(2).concurrency(WORKERS).leaseDuration(Duration.ofDays(1)).build());
	}

	private void awaitAllHandledOnce(int tasks) {
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed()
				+ QueueView.of(this.store).stats(QUEUE).dead() == tasks);
		assertThat(QueueView.of(this.store).stats(QUEUE).dead()).isZero();
		assertThat(this.handled).hasSize(tasks);
		assertThat(this.handled.values()).containsOnly(1);
	}

	private interface Work {

		void on(DelayedTask<String> task) throws InterruptedException;

	}

}
