package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

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

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

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
		register(Duration.ofSeconds(30));
		schedule();
		await().until(() -> this.events.pollErrors().size() >= 4);
		ContainerStatus status = this.instance.registry().get(QUEUE).status();
		assertThat(status.lastError()).isSameAs(this.events.pollErrors().get(this.events.pollErrors().size() - 1));
		assertThat(status.lastPollAt()).isNull();
		assertThat(this.handled).isEmpty();
		this.store.heal();
		assertAllHandledOnce();
		assertThat(this.instance.registry().get(QUEUE).status().lastError()).isNull();
		assertThat(this.instance.registry().get(QUEUE).status().lastPollAt()).isNotNull();
	}

	@Test
	void waitsLongerBetweenClaimsThatFail() {
		this.store.fail(Step.CLAIM);
		register(Duration.ofSeconds(30));
		await().until(() -> this.store.calls(Step.CLAIM) >= 1);
		schedule();
		int before = this.store.calls(Step.CLAIM);
		await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
		assertThat(this.store.calls(Step.CLAIM) - before).isBetween(3, 8);
	}

	@Test
	void deliversAgainWhatWasClaimedWithTheAnswerLost() {
		this.store.loseAnswers(Step.CLAIM);
		schedule();
		register(Duration.ofMillis(300));
		await().until(() -> this.store.stats(QUEUE).inFlight() > 0);
		this.store.heal();
		await().until(() -> this.handled.size() == TASKS);
		assertThat(this.handled.values()).containsOnly(1);
		assertThat(this.store.stats(QUEUE).totals().expired()).isPositive();
	}

	@Test
	void repeatsSettlementsUntilTheyAreDoneAndExtendsLeasesMeanwhile() {
		this.store.fail(Step.SETTLE);
		register(Duration.ofSeconds(1));
		// what waits for a worker may be handed back, which is a settlement too
		schedule(WORKERS);
		await().until(() -> this.handled.size() == WORKERS);
		await().during(Duration.ofMillis(1500)).until(() -> this.store.stats(QUEUE).inFlight() == WORKERS);
		assertThat(this.store.calls(Step.SETTLE)).isBetween(3, 20);
		assertThat(this.events.ends()).isEmpty();
		this.store.heal();
		assertAllHandledOnce(WORKERS);
		assertThat(this.events.outcomes()).hasSize(WORKERS).containsOnly(DeliveryOutcome.SUCCESS);
	}

	@Test
	void takesARepeatedSettlementForStaleWhereItsAnswerWasLost() {
		this.store.loseAnswers(Step.SETTLE);
		register(Duration.ofSeconds(30));
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		this.store.heal();
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE);
		assertThat(this.handled).containsExactly(Map.entry("task", 1));
	}

	@Test
	void survivesAnErrorOfASettlement() {
		AtomicInteger errors = new AtomicInteger(3);
		this.store.before(Step.SETTLE, () -> {
			if (errors.getAndDecrement() > 0) {
				throw new NoClassDefFoundError("for a test");
			}
		});
		register(Duration.ofSeconds(30));
		schedule();
		assertAllHandledOnce();
	}

	@Test
	void triesToExtendAgainUntilTheLeaseHasRunOut() {
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(),
				ListenerOptions.builder().ttr(Duration.ofSeconds(1)).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		this.store.fail(Step.EXTEND);
		await().until(() -> this.store.calls(Step.EXTEND) >= 3);
		this.store.heal();
		await().during(Duration.ofMillis(1500)).until(() -> this.gate.entered() == 1);
		assertThat(this.store.stats(QUEUE).totals().expired()).isZero();
	}

	@Test
	void deliversAgainWhatCouldNotBeExtendedInTimeAndTakesTheFirstAnswerForStale() {
		this.instance.register(QUEUE, (task, context) -> (task.expiries() == 0) ? this.gate.pass() : TaskResult.done(),
				ListenerOptions.builder().ttr(Duration.ofMillis(300)).build());
		this.store.fail(Step.EXTEND);
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		this.gate.open();
		await().until(() -> this.events.ends().size() == 2);
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.SUCCESS, DeliveryOutcome.STALE);
	}

	@Test
	void doesNotStartWhatAClaimBringsAfterTheTtrIsOver() {
		ClaimRequest claimOfAnother = ClaimRequest.of("another", 1, Duration.ofMinutes(1));
		AtomicInteger slow = new AtomicInteger(1);
		this.store.after(Step.CLAIM, () -> {
			if (slow.getAndDecrement() == 1) {
				await().until(() -> this.store.stats(QUEUE).expired() > 0);
				assertThat(this.store.claim(QUEUE, claimOfAnother).tasks()).hasSize(1);
			}
		});
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		register(Duration.ofMillis(300));
		await().until(() -> this.store.stats(QUEUE).totals().stale() == 1);
		assertThat(this.handled).isEmpty();
		assertThat(this.events.starts()).isEmpty();
		assertThat(this.store.stats(QUEUE).inFlight()).isEqualTo(1);
	}

	@Test
	void extendsAndSettlesWhileAClaimHangs() {
		CountDownLatch answer = new CountDownLatch(1);
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(),
				ListenerOptions.builder().ttr(Duration.ofMillis(300)).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		this.store.before(Step.CLAIM, () -> await().forever().until(() -> answer.getCount() == 0));
		int claims = this.store.calls(Step.CLAIM);
		// as many as there are threads to claim on
		this.instance.register("other", (task, context) -> TaskResult.done(), ListenerOptions.defaults());
		await().until(() -> this.store.calls(Step.CLAIM) == claims + 2);
		await().during(Duration.ofSeconds(1)).until(() -> this.store.stats(QUEUE).expired() == 0);
		this.gate.open();
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		assertThat(this.store.calls(Step.CLAIM)).isEqualTo(claims + 2);
		answer.countDown();
	}

	@Test
	void consumesThoughTheQueueCannotBeAnnounced() {
		this.store.fail(Step.ANNOUNCE);
		register(Duration.ofSeconds(30));
		schedule();
		assertAllHandledOnce();
	}

	@Test
	void consumesByPollingWhereItCannotSubscribe() {
		this.store.fail(Step.SUBSCRIBE);
		DelayQueueListenerContainer container = register(Duration.ofSeconds(30));
		schedule();
		assertAllHandledOnce();
		container.stop();
		assertThat(container.isRunning()).isFalse();
	}

	@Test
	void deliversWithinAPollIntervalThoughAllWakesAreLost() {
		this.store.fail(Step.WAKE);
		register(Duration.ofSeconds(30));
		await().until(() -> this.store.calls(Step.CLAIM) > 0);
		schedule();
		assertAllHandledOnce();
		assertThat(this.store.calls(Step.WAKE)).isPositive();
	}

	private DelayQueueListenerContainer register(Duration ttr) {
		return this.instance.register(QUEUE, (task, context) -> {
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(WORKERS).ttr(ttr).build());
	}

	private void schedule() {
		schedule(TASKS);
	}

	private void schedule(int tasks) {
		for (int i = 0; i < tasks; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
	}

	private void assertAllHandledOnce() {
		assertAllHandledOnce(TASKS);
	}

	private void assertAllHandledOnce(int tasks) {
		await().until(() -> this.store.stats(QUEUE).totals().completed() == tasks);
		assertThat(this.handled).hasSize(tasks);
		assertThat(this.handled.values()).containsOnly(1);
		QueueStats.Totals totals = this.store.stats(QUEUE).totals();
		assertThat(totals.stale() + totals.expired() + totals.retried() + totals.buried()).isZero();
	}

}
