package io.github.delayqueue.threads;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.OutlivedLeases;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Queues whose server gives no answer, beside one whose server does, on the threads that
 * an application has.
 */
class SilentQueuesTests {

	private static final String QUEUE = "orders";

	private static final Duration LEASE_DURATION = Duration.ofSeconds(30);

	/**
	 * That of a task, so that its lease is often extended, though it need not start soon.
	 */
	private static final Duration SHORT_LEASE = Duration.ofMillis(300);

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	private final ListenerFixture instance = new ListenerFixture(this.store,
			ListenerFixture.settings(Duration.ofMillis(200), Retention.NONE, null));

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.store.heal();
		this.instance.close();
	}

	@Test
	void manySilentQueuesCostAHealthyOneNeitherItsLeasesNorItsSettlements() {
		int silent = 60;
		Gate silentHandlers = new Gate();
		CountDownLatch answer = new CountDownLatch(1);
		for (int i = 0; i < silent; i++) {
			String queue = "silent-" + i;
			// one task that ends, and one whose lease has to be extended
			this.instance.register(queue,
					(task, context) -> task.id().equals("ends") ? silentHandlers.pass() : this.gate.pass(),
					ListenerOptions.defaults());
			this.instance.schedule(queue, "ends", "payload", Duration.ZERO);
			this.instance.schedule(queue, "held", "payload", Duration.ZERO,
					new TaskOptions(SHORT_LEASE, null, null, null, null));
		}
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(),
				ListenerOptions.builder().leaseDuration(LEASE_DURATION).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO,
				new TaskOptions(SHORT_LEASE, null, null, null, null));
		await().until(() -> silentHandlers.waiting() == silent && this.gate.waiting() == silent + 1);
		for (int i = 0; i < silent; i++) {
			for (Step step : List.of(Step.CLAIM, Step.EXTEND, Step.SETTLE)) {
				this.store.before(step, "silent-" + i, () -> Gate.waitFor(answer));
			}
		}
		silentHandlers.open();
		try {
			OutlivedLeases.outlive(this.store, QUEUE, this.clock, SHORT_LEASE);
			this.instance.register("another", (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			this.instance.schedule("another", "task", "payload", Duration.ZERO);
			await().until(() -> QueueView.of(this.store).stats("another").totals().completed() == 1);
			assertThat(QueueView.of(this.store).stats(QUEUE).inFlight()).isEqualTo(1);
			assertThat(QueueView.of(this.store).stats(QUEUE).totals().leasesLost()).isZero();
		}
		finally {
			answer.countDown();
		}
	}

}
