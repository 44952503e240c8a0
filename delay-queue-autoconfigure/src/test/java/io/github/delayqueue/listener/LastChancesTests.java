package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tasks that may lose no further lease.
 */
@Execution(ExecutionMode.CONCURRENT)
class LastChancesTests {

	private static final String QUEUE = "orders";

	private static final int TASKS = 4;

	private static final Duration TTR = Duration.ofMillis(300);

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	private final ListenerFixture instance = new ListenerFixture(this.store);

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	@AfterEach
	void close() {
		this.store.heal();
		this.instance.close();
	}

	@Test
	void runOneAfterTheOther() {
		loseLeases();
		register();
		awaitAllHandledOnce();
		assertThat(this.most).hasValue(1);
	}

	@Test
	void doNotDieWhereTheyCannotBeHandedBackForAWhile() {
		loseLeases();
		this.store.fail(Step.SETTLE);
		register();
		await().until(() -> this.store.calls(Step.SETTLE) > 0);
		OutlivedLeases.outlive(this.store, QUEUE, this.clock, TTR);
		assertThat(this.store.stats(QUEUE).inFlight()).isEqualTo(TASKS);
		this.store.heal();
		awaitAllHandledOnce();
		assertThat(this.store.stats(QUEUE).totals().expired()).isEqualTo(TASKS);
	}

	private void loseLeases() {
		for (int i = 0; i < TASKS; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
		this.store.claim(QUEUE, ClaimRequest.of("crashed", TASKS, Duration.ofMillis(1)));
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.store.stats(QUEUE).expired()).isEqualTo(TASKS);
	}

	private void register() {
		this.instance.register(QUEUE, (task, context) -> {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			this.handled.merge(task.id(), 1, Integer::sum);
			await().pollDelay(Duration.ofMillis(50)).until(() -> true);
			this.running.decrementAndGet();
			return TaskResult.done();
		}, ListenerOptions.builder().maxExpiries(2).ttr(TTR).build());
	}

	private void awaitAllHandledOnce() {
		await().until(() -> {
			// what was handed back is due again, and no lease runs out
			if (this.store.stats(QUEUE).inFlight() == 0) {
				this.clock.advance(LastChances.DELAY);
			}
			return this.store.stats(QUEUE).totals().completed() + this.store.stats(QUEUE).dead() == TASKS;
		});
		assertThat(this.store.stats(QUEUE).dead()).isZero();
		assertThat(this.handled).hasSize(TASKS);
		assertThat(this.handled.values()).containsOnly(1);
	}

}
