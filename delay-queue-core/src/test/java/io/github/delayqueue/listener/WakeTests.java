package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static io.github.delayqueue.listener.Gate.waitFor;
import static org.awaitility.Awaitility.await;

/**
 * What makes a consumer claim, where polling would take for ever.
 */
@Execution(ExecutionMode.CONCURRENT)
class WakeTests {

	private static final String QUEUE = "orders";

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final ListenerFixture instance = new ListenerFixture(this.store,
			ListenerFixture.settings(ListenerFixture.FOR_EVER, Retention.NONE, null));

	private final AtomicInteger handled = new AtomicInteger();

	@AfterEach
	void close() {
		this.store.heal();
		this.instance.close();
	}

	@Test
	void claimsWhatIsScheduledWhileAClaimIsUnderWayThatHasFoundNothing() {
		CountDownLatch answer = new CountDownLatch(1);
		this.store.after(Step.CLAIM, () -> waitFor(answer));
		register(1);
		await().until(() -> this.store.calls(Step.CLAIM) == 1);
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.store.calls(Step.WAKE) == 1);
		this.store.heal();
		answer.countDown();
		await().until(() -> this.handled.get() == 1);
	}

	@Test
	void claimsAsSoonAsAWorkerBecomesFree() {
		register(1);
		for (int i = 0; i < 2000; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
		await().until(() -> this.handled.get() == 2000);
	}

	@Test
	void claimsWhatIsResumedAndRescheduled() {
		register(1);
		QueueControl.of(this.store).setPaused(QUEUE, true);
		this.instance.schedule(QUEUE, "paused", "payload", Duration.ZERO);
		await().until(() -> this.instance.registry().get(QUEUE).status().paused());
		QueueControl.of(this.store).setPaused(QUEUE, false);
		await().until(() -> this.handled.get() == 1);
		this.instance.schedule(QUEUE, "later", "payload", Duration.ofHours(1));
		this.store.reschedule(QUEUE, "later", DueTime.in(Duration.ZERO));
		await().until(() -> this.handled.get() == 2);
	}

	private void register(int concurrency) {
		this.instance.register(QUEUE, (task, context) -> {
			this.handled.incrementAndGet();
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(concurrency).build());
	}

}
