package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that do not end within their time-out.
 */
@Execution(ExecutionMode.CONCURRENT)
class HandlerTimeoutTests {

	private static final String QUEUE = "orders";

	private static final Duration TIMEOUT = Duration.ofMillis(150);

	/** For a task that must not run into it as well. */
	private static final Duration PLENTY = Duration.ofSeconds(5);

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final RecordingEvents events = new RecordingEvents();

	private final ListenerFixture instance = new ListenerFixture(this.store, this.events);

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.instance.close();
	}

	@Test
	void interruptsAHandlerAndCountsAFailure() {
		Queue<String> told = new ConcurrentLinkedQueue<>();
		this.instance.register(QUEUE, (task, context) -> {
			try {
				return this.gate.pass();
			}
			catch (InterruptedException ex) {
				told.add("interrupted");
				throw ex;
			}
		}, ListenerFixture.attempts(1).handlerTimeout(TIMEOUT).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).dead() == 1);
		assertThat(told).containsExactly("interrupted");
		TaskFailure failure = this.instance.failureOf(QUEUE, "task");
		assertThat(failure.type()).isEqualTo(TimeoutException.class.getName());
		assertThat(failure.message()).contains("150ms", "listener.handler-timeout");
		assertThat(this.store.find(QUEUE, "task").orElseThrow().failures()).isEqualTo(1);
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(this.events.ends().get(0).took()).isGreaterThanOrEqualTo(TIMEOUT);
	}

	@Test
	void countsAFailureAlsoWhereTheHandlerAnswersAfterTheInterrupt() {
		this.instance.register(QUEUE, (task, context) -> {
			try {
				this.gate.pass();
			}
			catch (InterruptedException ex) {
				// answers as if nothing had happened
			}
			return TaskResult.done();
		}, ListenerFixture.attempts(1).handlerTimeout(TIMEOUT).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).dead() == 1);
	}

	@Test
	void givesTheWorkerToTheNextTaskWithoutTheInterrupt() {
		Queue<String> handled = new ConcurrentLinkedQueue<>();
		this.instance.register(QUEUE, (task, context) -> {
			if ("slow".equals(task.payload())) {
				return this.gate.pass();
			}
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			handled.add(task.id());
			return TaskResult.done();
		}, ListenerFixture.attempts(1).concurrency(1).handlerTimeout(PLENTY).build());
		this.instance.schedule(QUEUE, "slow", "slow", Duration.ZERO);
		this.instance.schedule(QUEUE, "quick", "quick", Duration.ofMillis(10));
		await().until(() -> handled.contains("quick"));
		await().until(() -> this.store.stats(QUEUE).totals().deadLettered() == 1);
	}

	@Test
	void doesNotExtendTheLeaseOfAHandlerThatTakesNoNotice() {
		List<Integer> leasesLost = new CopyOnWriteArrayList<>();
		this.instance.register(QUEUE, (task, context) -> {
			leasesLost.add(task.leasesLost());
			if (task.leasesLost() == 0) {
				this.gate.passUninterrupted();
			}
			return TaskResult.done();
		}, ListenerFixture.attempts(10)
			.leaseDuration(Duration.ofSeconds(3))
			.handlerTimeout(Duration.ofMillis(600))
			.build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		// more often if the machine stands still for the timeout or a lease duration
		assertThat(leasesLost).startsWith(0, 1);
		this.gate.open();
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.STALE));
		await().untilAsserted(() -> assertThat(this.events.outcomes()).containsOnlyOnce(DeliveryOutcome.SUCCESS));
	}

	@Test
	void endsAnAsynchronousHandlerAndGivesItsPlaceToTheNextTask() {
		Queue<String> started = new ConcurrentLinkedQueue<>();
		this.instance.register(QUEUE, ListenerFixture.attempts(1).concurrency(1).handlerTimeout(TIMEOUT).build(),
				(deliveries) -> {
					started.add(deliveries.get(0).task().id());
					return new CompletableFuture<>();
				});
		this.instance.schedule(QUEUE, "first", "payload", Duration.ZERO);
		// one that waits for its worker may be released, and come after another
		await().until(() -> started.contains("first"));
		this.instance.schedule(QUEUE, "second", "payload", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).dead() == 2);
		assertThat(started).containsExactly("first", "second");
		assertThat(this.instance.failureOf(QUEUE, "first").type()).isEqualTo(TimeoutException.class.getName());
	}

}
