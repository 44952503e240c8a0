package io.github.delayqueue.lostclaims;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A store that carries out claims and fails. No lease runs out.
 */
@Execution(ExecutionMode.CONCURRENT)
class LostAnswersTests {

	private static final String QUEUE = "orders";

	private static final int TASKS = 200;

	private final FaultyTaskStore store = new FaultyTaskStore(
			new InMemoryTaskStore(new MutableClock(Instant.parse("2026-01-01T00:00:00Z"))));

	private final RecordingEvents events = new RecordingEvents();

	private final ListenerFixture instance = new ListenerFixture(this.store,
			ListenerFixture.settings(Duration.ofMillis(200), Retention.NONE, null), ListenerFixture.threads(),
			List.of(new LostClaimRelease()), this.events);

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.store.heal();
		this.instance.close();
	}

	@Test
	void releasesWhatWasClaimedWithTheAnswerLostWhenTheStoreAnswersAgain() {
		loseAnswersToClaims();
		this.store.heal();
		assertAllHandledOnce(TASKS);
	}

	@Test
	void claimsGoOnWhileItIsLookedForThoseWhoseAnswersWereLost() {
		this.store.before(Step.CLAIMED_WITH, this.gate::passUninterrupted);
		loseAnswersToClaims();
		this.store.after(Step.CLAIM, () -> {
		});
		await().until(() -> this.gate.entered() > 0);
		this.instance.schedule(QUEUE, "later", "payload", Duration.ZERO);
		await().until(() -> this.handled.containsKey("later"));
		assertThat(this.gate.entered()).isEqualTo(1);
		this.gate.open();
		assertAllHandledOnce(TASKS + 1);
	}

	private void loseAnswersToClaims() {
		this.store.loseAnswers(Step.CLAIM);
		for (int i = 0; i < TASKS; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
		this.instance.register(QUEUE, (task, context) -> {
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(8).build());
		// what the claim has done is to be seen before its answer is lost
		await()
			.until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() > 0 && !this.events.pollErrors().isEmpty());
	}

	private void assertAllHandledOnce(int tasks) {
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == tasks);
		assertThat(this.handled).hasSize(tasks);
		assertThat(this.handled.values()).containsOnly(1);
		QueueStats.Totals totals = QueueView.of(this.store).stats(QUEUE).totals();
		assertThat(totals.stale() + totals.leasesLost() + totals.retried() + totals.deadLettered()).isZero();
	}

}
