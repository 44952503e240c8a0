package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How many tasks a container runs and holds at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConcurrencyTests {

	private static final String QUEUE = "orders";

	private static final int TASKS = 3000;

	private static final int QUICK_TASKS = 20_000;

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final ListenerFixture instance = new ListenerFixture(this.store);

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.instance.close();
	}

	@Test
	void neverRunsMoreHandlersThanTheConcurrencyAllowsAndUsesItUp() {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		schedule(400);
		this.instance.register(QUEUE, (task, context) -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(5_000_000));
			running.decrementAndGet();
			return record(task.id());
		}, ListenerOptions.builder().concurrency(5).build());
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 400);
		assertThat(most).hasValue(5);
		assertThat(this.handled.values()).containsOnly(1);
	}

	@Test
	void claimsQuickWorkInAdvance() {
		schedule(TASKS);
		this.instance.register(QUEUE, (task, context) -> record(task.id()),
				ListenerOptions.builder().concurrency(1).build());
		await().until(() -> this.store.stats(QUEUE).totals().completed() == TASKS);
		assertThat(this.handled).hasSize(TASKS);
		assertThat(this.handled.values()).containsOnly(1);
		assertThat(this.store.calls(Step.CLAIM)).isLessThan(TASKS / 5);
		assertThat(this.store.calls(Step.SETTLE)).isLessThan(TASKS);
	}

	@Test
	void claimsQuickWorkBySeveralCallsAtATimeAndNoMore() {
		AtomicInteger underWay = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		this.store.before(Step.CLAIM, () -> {
			most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
			// gives the others time to come
			LockSupport.parkNanos(5_000_000);
		});
		this.store.after(Step.CLAIM, underWay::decrementAndGet);
		schedule(QUICK_TASKS);
		this.instance.register(QUEUE, (task, context) -> record(task.id()), ListenerOptions.defaults());
		await().until(() -> this.store.stats(QUEUE).totals().completed() == QUICK_TASKS);
		assertThat(most).hasValue(1 + ContainerThreads.CALLS_BESIDE);
		assertThat(this.handled).hasSize(QUICK_TASKS);
		assertThat(this.handled.values()).containsOnly(1);
	}

	@Test
	void claimsSlowWorkByOneCallAtATime() {
		AtomicInteger underWay = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		this.store.before(Step.CLAIM, () -> {
			most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
			LockSupport.parkNanos(5_000_000);
		});
		this.store.after(Step.CLAIM, underWay::decrementAndGet);
		schedule(60);
		this.instance.register(QUEUE, (task, context) -> {
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			return record(task.id());
		}, ListenerOptions.builder().concurrency(4).build());
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 60);
		assertThat(most).hasValue(1);
	}

	@Test
	void claimsNothingInAdvanceWithoutRenewal() {
		schedule(TASKS);
		this.instance.register(QUEUE, (task, context) -> record(task.id()),
				ListenerOptions.builder().concurrency(4).renew(false).build());
		await().until(() -> this.store.stats(QUEUE).totals().completed() == TASKS);
		assertThat(this.store.largestLimit()).isEqualTo(4);
	}

	@Test
	void claimsNoSlowWorkInAdvance() {
		schedule(60);
		this.instance.register(QUEUE, (task, context) -> {
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			return record(task.id());
		}, ListenerOptions.builder().concurrency(4).build());
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 60);
		assertThat(this.store.largestLimit()).isEqualTo(4);
	}

	@Test
	void handsBackWhatItHasClaimedInAdvanceWhenItsHandlerBecomesSlow() {
		this.instance.register(QUEUE, (task, context) -> {
			record(task.id());
			return "slow".equals(task.payload()) ? this.gate.pass() : TaskResult.done();
		}, ListenerOptions.builder().concurrency(2).build());
		schedule(TASKS);
		await().until(() -> this.store.stats(QUEUE).totals().completed() == TASKS);
		assertThat(this.store.largestLimit()).as("claimed in advance").isGreaterThan(2);
		for (int i = 0; i < 50; i++) {
			this.instance.schedule(QUEUE, "slow-" + i, "slow", Duration.ZERO);
		}
		await().until(() -> this.gate.waiting() == 2);
		await().until(() -> this.store.stats(QUEUE).inFlight() == 2);
		int claims = this.store.calls(Step.CLAIM);
		await().pollDelay(Duration.ofMillis(1500)).until(() -> this.store.stats(QUEUE).inFlight() == 2);
		assertThat(this.store.calls(Step.CLAIM) - claims).as("claims while nothing is free").isZero();
		assertThat(this.store.find(QUEUE, "slow-49").orElseThrow().expiries()).isZero();
		this.gate.open();
		await().until(() -> this.store.stats(QUEUE).totals().completed() == TASKS + 50);
		assertThat(this.handled.values()).containsOnly(1);
		assertThat(this.store.stats(QUEUE).totals().stale()).isZero();
	}

	@Test
	void sharesSlowWorkEvenlyWithAnotherInstance() {
		AtomicInteger first = new AtomicInteger();
		AtomicInteger second = new AtomicInteger();
		try (ListenerFixture other = new ListenerFixture(this.store)) {
			registerSlow(this.instance, first);
			registerSlow(other, second);
			for (int i = 0; i < 300; i++) {
				this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ofMillis(200));
			}
			await().until(() -> this.store.stats(QUEUE).totals().completed() == 300);
			assertThat(this.handled).hasSize(300);
			assertThat(this.handled.values()).containsOnly(1);
			assertThat(first).satisfies((count) -> assertThat(count.get()).isBetween(90, 210));
			assertThat(second).hasValue(300 - first.get());
		}
	}

	private void registerSlow(ListenerFixture instance, AtomicInteger count) {
		instance.register(QUEUE, (task, context) -> {
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(10_000_000, 40_000_000));
			count.incrementAndGet();
			return record(task.id());
		}, ListenerOptions.builder().concurrency(4).build());
	}

	private void schedule(int tasks) {
		for (int i = 0; i < tasks; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
	}

	private TaskResult record(String taskId) {
		this.handled.merge(taskId, 1, Integer::sum);
		return TaskResult.done();
	}

}
