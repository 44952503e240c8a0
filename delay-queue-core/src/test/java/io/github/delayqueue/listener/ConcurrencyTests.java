package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
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

	private static final Duration POLL = Duration.ofMillis(100);

	private static final int QUICK_TASKS = 5000;

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final ListenerFixture instance = new ListenerFixture(this.store,
			ListenerFixture.settings(POLL, Retention.NONE, null));

	private final Random random = new Random(7);

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
			this.gate.pass();
			LockSupport.parkNanos(this.random.nextLong(5_000_000));
			running.decrementAndGet();
			return record(task.id());
		}, ListenerOptions.builder().concurrency(5).build());
		await().until(() -> this.gate.waiting() == 5);
		this.gate.open();
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 400);
		assertThat(most).hasValue(5);
		assertThat(this.handled.values()).containsOnly(1);
	}

	@Test
	void claimsQuickWorkBySeveralCallsAtATimeAndNoMore() {
		AtomicInteger underWay = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		AtomicInteger scheduled = new AtomicInteger(QUICK_TASKS);
		this.store.before(Step.CLAIM, () -> {
			most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
			// gives the others time to come, and one more, if there were one
			int times = 0;
			do {
				LockSupport.parkNanos(5_000_000);
			}
			while (++times < 10 && most.get() < 1 + ContainerThreads.CALLS_BESIDE);
		});
		this.store.after(Step.CLAIM, underWay::decrementAndGet);
		schedule(QUICK_TASKS);
		this.instance.register(QUEUE, (task, context) -> record(task.id()), ListenerOptions.defaults());
		// as much is due until the others have come; not by the handlers, which are quick
		await().pollInterval(Duration.ofMillis(10)).until(() -> {
			while (most.get() < 1 + ContainerThreads.CALLS_BESIDE
					&& QueueView.of(this.store).stats(QUEUE).due() < QUICK_TASKS) {
				this.instance.schedule(QUEUE, "task-" + scheduled.getAndIncrement(), "payload", Duration.ZERO);
			}
			return most.get() >= 1 + ContainerThreads.CALLS_BESIDE;
		});
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == scheduled.get());
		assertThat(most).hasValue(1 + ContainerThreads.CALLS_BESIDE);
		assertThat(this.handled).hasSize(scheduled.get());
		assertThat(this.handled.values()).containsOnly(1);
	}

	@Test
	void claimsNothingInAdvanceWithoutRenewal() {
		schedule(TASKS);
		this.instance.register(QUEUE, (task, context) -> record(task.id()),
				ListenerOptions.builder().concurrency(4).autoRenewLease(false).build());
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == TASKS);
		assertThat(this.store.largestLimit()).isEqualTo(4);
	}

	@Test
	void claimsNoSlowWorkInAdvance() {
		schedule(60);
		this.instance.register(QUEUE, (task, context) -> {
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			return record(task.id());
		}, ListenerOptions.builder().concurrency(4).build());
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 60);
		assertThat(this.store.largestLimit()).isEqualTo(4);
	}

	@Test
	void releasesWhatItHasClaimedInAdvanceWhenItsHandlerBecomesSlow() {
		this.instance.register(QUEUE, (task, context) -> {
			record(task.id());
			return "slow".equals(task.payload()) ? this.gate.pass() : TaskResult.done();
		}, ListenerOptions.builder().concurrency(2).build());
		schedule(TASKS);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == TASKS);
		assertThat(this.store.largestLimit()).as("claimed in advance").isGreaterThan(2);
		for (int i = 0; i < 50; i++) {
			this.instance.schedule(QUEUE, "slow-" + i, "slow", Duration.ZERO);
		}
		await().until(() -> this.gate.waiting() == 2);
		// what a claim brings that was under way by then is released
		await().until(() -> {
			int before = this.store.calls(Step.CLAIM);
			awaitPollAfter(Instant.now());
			awaitPollAfter(Instant.now());
			return this.store.calls(Step.CLAIM) == before && QueueView.of(this.store).stats(QUEUE).inFlight() == 2;
		});
		int claims = this.store.calls(Step.CLAIM);
		awaitPollAfter(Instant.now().plus(POLL));
		assertThat(QueueView.of(this.store).stats(QUEUE).inFlight()).isEqualTo(2);
		assertThat(this.store.calls(Step.CLAIM) - claims).as("claims while nothing is free").isZero();
		assertThat(this.store.find(QUEUE, "slow-49").orElseThrow().leasesLost()).isZero();
		this.gate.open();
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == TASKS + 50);
		assertThat(this.handled.values()).containsOnly(1);
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().stale()).isZero();
	}

	@Test
	void claimsAgainAtOnceWhenItHasHandedBackWhatItCouldStartNoThreadFor() {
		ManualThreads threads = new ManualThreads();
		threads.handlers = (worker) -> {
			throw new OutOfMemoryError("unable to create native thread");
		};
		ListenerOptions two = ListenerOptions.builder().concurrency(2).build();
		// no poll comes before the hour is over, which would take the place of the claim
		QueueOptions options = two.own()
			.withDefaults(ListenerFixture.settings(Duration.ofHours(1), Retention.NONE, null));
		DefaultListenerContainer container = new DefaultListenerContainer(
				new DelayQueueListenerEndpoint("id", QUEUE, String.class,
						(deliveries) -> CompletableFuture.completedFuture(List.of(TaskResult.done())), two, "test"),
				options, this.store, this.instance.codec(), TaskEvents.NONE, threads, List.of());
		schedule(3);
		container.start();
		threads.claims.last().fire();
		assertThat(QueueView.of(this.store).stats(QUEUE).inFlight()).isEqualTo(2);
		threads.claims.last().fire();
		assertThat(threads.claims.due()).as("nothing is free").isEmpty();
		await().until(() -> {
			threads.extensions.last().fire();
			return container.status().active() == 0 && !threads.claims.due().isEmpty();
		});
	}

	@Test
	void leavesSlowWorkToAnotherInstanceThatHasAWorkerFree() {
		Gate othersGate = new Gate();
		try (ListenerFixture other = new ListenerFixture(this.store)) {
			registerSlow(this.instance, this.gate);
			registerSlow(other, othersGate);
			schedule(100);
			// each takes what its workers can, and no more, before and after it is
			// measured; what waited for a slow one is released
			await().until(() -> this.gate.waiting() == 4 && othersGate.waiting() == 4);
			await().until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() == 8);
			othersGate.open();
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 96);
			assertThat(this.gate.waiting()).isEqualTo(4);
			this.gate.open();
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 100);
			assertThat(this.handled).hasSize(100);
			assertThat(this.handled.values()).containsOnly(1);
			assertThat(this.store.largestLimit()).isEqualTo(4);
		}
		finally {
			othersGate.open();
		}
	}

	private void awaitPollAfter(Instant time) {
		await().until(() -> this.instance.registry().get(QUEUE).status().lastPollAt().isAfter(time));
	}

	private void registerSlow(ListenerFixture instance, Gate gate) {
		instance.register(QUEUE, (task, context) -> {
			gate.pass();
			LockSupport.parkNanos(this.random.nextLong(10_000_000, 20_000_000));
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
