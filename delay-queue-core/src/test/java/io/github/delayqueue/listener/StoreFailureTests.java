package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A store that fails for a while: consumers survive, and nothing is lost or doubled.
 */
@Execution(ExecutionMode.CONCURRENT)
class StoreFailureTests {

	private static final String QUEUE = "orders";

	private static final int TASKS = 200;

	private static final int WORKERS = 8;

	private static final Duration LEASE_DURATION = Duration.ofSeconds(30);

	/**
	 * That of a task, so that its lease is often extended, though it need not start soon.
	 */
	private static final Duration SHORT_LEASE = Duration.ofMillis(300);

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	private final RecordingEvents events = new RecordingEvents();

	private final ListenerFixture instance = new ListenerFixture(this.store,
			ListenerFixture.settings(Duration.ofMillis(200), Retention.NONE, null), this.events);

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.store.heal();
		this.instance.close();
	}

	@Test
	void goesOnByItselfWhenClaimsHaveFailedForAWhile() {
		this.store.fail(Step.CLAIM);
		register();
		schedule();
		await().until(() -> this.events.pollErrors().size() >= 4);
		ContainerStatus status = this.instance.registry().get(QUEUE).status();
		assertThat(status.lastError()).isNotNull();
		await().until(() -> this.events.pollErrors().contains(status.lastError()));
		assertThat(status.lastPollAt()).isNull();
		assertThat(this.handled).isEmpty();
		this.store.heal();
		assertAllHandledOnce();
		assertThat(this.instance.registry().get(QUEUE).status().lastError()).isNull();
		assertThat(this.instance.registry().get(QUEUE).status().lastPollAt()).isNotNull();
	}

	@Test
	void deliversAgainWhatWasClaimedWithTheAnswerLost() {
		loseAnswersToClaims();
		// nor can it be released
		this.store.fail(Step.CLAIM, Step.CLAIMED_WITH);
		int errors = this.events.pollErrors().size();
		await().until(() -> this.events.pollErrors().size() > errors);
		// what is claimed with success before the clock is turned would run out as well
		this.clock.advance(LEASE_DURATION);
		this.store.heal();
		await().until(() -> this.handled.size() == TASKS);
		assertThat(this.handled.values()).containsOnly(1);
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().leasesLost()).isPositive();
	}

	/** The clock stands still: no lease runs out. */
	private void loseAnswersToClaims() {
		this.store.loseAnswers(Step.CLAIM);
		schedule();
		register();
		// what the claim has done is to be seen before its answer is lost
		await()
			.until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() > 0 && !this.events.pollErrors().isEmpty());
	}

	@Test
	void repeatsSettlementsUntilTheyAreDoneAndExtendsLeasesMeanwhile() {
		this.instance.register(QUEUE, (task, context) -> {
			this.handled.merge(task.id(), 1, Integer::sum);
			return this.gate.pass();
		}, ListenerOptions.builder().concurrency(WORKERS).leaseDuration(LEASE_DURATION).build());
		for (int i = 0; i < WORKERS; i++) {
			scheduleOfShortLeaseDuration("task-" + i);
		}
		// what waits for a worker may be released, which is a settlement too
		await().until(() -> this.gate.waiting() == WORKERS);
		this.store.fail(Step.SETTLE);
		this.gate.open();
		await().until(() -> this.store.calls(Step.SETTLE) >= 3);
		OutlivedLeases.outlive(this.store, QUEUE, this.clock, SHORT_LEASE);
		assertThat(QueueView.of(this.store).stats(QUEUE).inFlight()).isEqualTo(WORKERS);
		assertThat(this.events.ends()).isEmpty();
		this.store.heal();
		assertAllHandledOnce(WORKERS);
		await().until(() -> this.events.outcomes().size() == WORKERS);
		assertThat(this.events.outcomes()).containsOnly(DeliveryOutcome.SUCCESS);
	}

	@Test
	void takesARepeatedSettlementForStaleWhereItsAnswerWasLost() {
		AtomicInteger before = new AtomicInteger(Integer.MAX_VALUE);
		this.instance.register(QUEUE, (task, context) -> {
			this.handled.merge(task.id(), 1, Integer::sum);
			// not before: what waits for a worker may be released, which is a
			// settlement too
			this.store.loseAnswers(Step.SETTLE);
			before.set(this.store.calls(Step.SETTLE));
			return TaskResult.done();
		}, ListenerOptions.builder().leaseDuration(LEASE_DURATION).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.store.calls(Step.SETTLE) - 1 > before.get());
		this.store.heal();
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE);
		assertThat(this.handled).containsExactly(Map.entry("task", 1));
	}

	@Test
	void triesToExtendAgainUntilTheLeaseHasRunOut() {
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(),
				ListenerOptions.builder().leaseDuration(LEASE_DURATION).build());
		scheduleOfShortLeaseDuration("task");
		await().until(() -> this.gate.waiting() == 1);
		this.store.fail(Step.EXTEND);
		int before = this.store.calls(Step.EXTEND);
		await().until(() -> this.store.calls(Step.EXTEND) >= before + 3);
		this.store.heal();
		OutlivedLeases.outlive(this.store, QUEUE, this.clock, SHORT_LEASE);
		assertThat(this.gate.entered()).isEqualTo(1);
		assertThat(QueueView.of(this.store).stats(QUEUE).inFlight()).isEqualTo(1);
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().leasesLost()).isZero();
	}

	@Test
	void deliversAgainWhatCouldNotBeExtendedInTimeAndTakesTheFirstAnswerForStale() {
		this.instance.register(QUEUE,
				(task, context) -> (task.leasesLost() == 0) ? this.gate.pass() : TaskResult.done(),
				ListenerOptions.builder().leaseDuration(LEASE_DURATION).build());
		this.store.fail(Step.EXTEND);
		scheduleOfShortLeaseDuration("task");
		await().until(() -> this.store.calls(Step.EXTEND) > 0);
		this.clock.advance(LEASE_DURATION);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 1);
		this.gate.open();
		await().until(() -> this.events.ends().size() == 2);
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.SUCCESS, DeliveryOutcome.STALE);
	}

	@Test
	void doesNotStartWhatAClaimBringsAfterTheLeaseDurationIsOver() {
		ClaimRequest claimOfAnother = ClaimRequest.of("another", 1, Duration.ofMinutes(1));
		AtomicInteger slow = new AtomicInteger(1);
		this.store.after(Step.CLAIM, () -> {
			if (slow.getAndDecrement() == 1) {
				await().pollDelay(SHORT_LEASE).until(() -> true);
				this.clock.advance(SHORT_LEASE);
				assertThat(this.store.claim(QUEUE, claimOfAnother).tasks()).hasSize(1);
			}
		});
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		register(SHORT_LEASE);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().stale() == 1);
		assertThat(this.handled).isEmpty();
		assertThat(this.events.starts()).isEmpty();
		assertThat(QueueView.of(this.store).stats(QUEUE).inFlight()).isEqualTo(1);
	}

	@Test
	void extendsAndSettlesWhileAClaimHangs() {
		CountDownLatch answer = new CountDownLatch(1);
		AtomicInteger hanging = new AtomicInteger();
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(),
				ListenerOptions.builder().leaseDuration(LEASE_DURATION).build());
		scheduleOfShortLeaseDuration("task");
		await().until(() -> this.gate.waiting() == 1);
		this.store.before(Step.CLAIM, () -> {
			hanging.incrementAndGet();
			await().forever().until(() -> answer.getCount() == 0);
		});
		// as many as there are threads to claim on
		this.instance.register("other", (task, context) -> TaskResult.done(), ListenerOptions.defaults());
		await().until(() -> hanging.get() == 2);
		OutlivedLeases.outlive(this.store, QUEUE, this.clock, SHORT_LEASE);
		assertThat(QueueView.of(this.store).stats(QUEUE).inFlight()).isEqualTo(1);
		this.gate.open();
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 1);
		assertThat(hanging).hasValue(2);
		answer.countDown();
	}

	@Test
	void consumesByPollingWhereItCannotSubscribe() {
		this.store.fail(Step.SUBSCRIBE);
		DelayQueueListenerContainer container = register();
		schedule();
		assertAllHandledOnce();
		container.stop();
		assertThat(container.isRunning()).isFalse();
	}

	@Test
	void deliversWithinAPollIntervalThoughAllWakesAreLost() {
		this.store.fail(Step.WAKE);
		register();
		await().until(() -> this.store.calls(Step.CLAIM) > 0);
		schedule();
		assertAllHandledOnce();
		assertThat(this.store.calls(Step.WAKE)).isPositive();
	}

	private DelayQueueListenerContainer register() {
		return register(LEASE_DURATION);
	}

	private DelayQueueListenerContainer register(Duration leaseDuration) {
		return this.instance.register(QUEUE, (task, context) -> {
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(WORKERS).leaseDuration(leaseDuration).build());
	}

	private void schedule() {
		for (int i = 0; i < TASKS; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
	}

	private void scheduleOfShortLeaseDuration(String taskId) {
		this.instance.schedule(QUEUE, taskId, "payload", Duration.ZERO,
				new TaskOptions(SHORT_LEASE, null, null, null, null));
	}

	private void assertAllHandledOnce() {
		assertAllHandledOnce(TASKS);
	}

	private void assertAllHandledOnce(int tasks) {
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == tasks);
		assertThat(this.handled).hasSize(tasks);
		assertThat(this.handled.values()).containsOnly(1);
		QueueStats.Totals totals = QueueView.of(this.store).stats(QUEUE).totals();
		assertThat(totals.stale() + totals.leasesLost() + totals.retried() + totals.deadLettered()).isZero();
	}

}
