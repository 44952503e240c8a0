package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whatever handlers, payloads and policies throw, each task ends and the container goes
 * on with all its workers.
 */
class HandlerFaultTests {

	private static final String QUEUE = "orders";

	private static final int CONCURRENCY = 2;

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(this.store);

	@Test
	void countsAnErrorOfAHandlerAsAFailure() {
		this.instance.register(QUEUE, (task, context) -> {
			throw new StackOverflowError("too deep");
		}, ListenerFixture.attempts(2).concurrency(CONCURRENCY).build());
		assertAllDie(StackOverflowError.class);
	}

	@Test
	void countsAnErrorOfAPayloadAsAFailure() {
		this.instance.registry()
			.register(QUEUE, Unloadable.class, (task, context) -> TaskResult.done(),
					ListenerFixture.attempts(2).concurrency(CONCURRENCY).build());
		assertAllDie(NoClassDefFoundError.class);
	}

	@Test
	void goesByTheDefaultsWhereTheListenersOwnPolicyThrows() {
		this.instance.register(QUEUE, (task, context) -> TaskResult.retry(),
				ListenerOptions.builder().concurrency(CONCURRENCY).redeliveryPolicy((failures, cause) -> {
					throw new IllegalStateException("broken policy");
				}).build());
		scheduleMoreThanThereAreWorkers();
		await().until(() -> this.store.stats(QUEUE).totals().retried() == 10);
		assertThat(this.store.find(QUEUE, "task-0").orElseThrow().failures()).isEqualTo(1);
		assertThat(this.instance.failureOf(QUEUE, "task-0").message()).isEqualTo("The handler asked for a retry");
	}

	@Test
	void keepsTheTypeOfAnExceptionThatCannotTellItsMessage() {
		this.instance.register(QUEUE, (task, context) -> {
			throw new Speechless();
		}, ListenerFixture.attempts(1).concurrency(CONCURRENCY).build());
		assertAllDie(Speechless.class);
	}

	@Test
	void countsAMissingStageAsAFailure() {
		this.instance.register(QUEUE, ListenerFixture.attempts(1).concurrency(CONCURRENCY).build(),
				(deliveries) -> missing());
		assertAllDie(IllegalStateException.class);
	}

	@Test
	void doesNotLetTheInterruptOfOneTaskReachTheNext() {
		AtomicInteger interrupted = new AtomicInteger();
		Queue<String> handled = new ConcurrentLinkedQueue<>();
		for (int i = 0; i < 1000; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
		this.instance.register(QUEUE, (task, context) -> {
			if (Thread.currentThread().isInterrupted()) {
				interrupted.incrementAndGet();
			}
			handled.add(task.id());
			Thread.currentThread().interrupt();
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(1).build());
		await().until(() -> handled.size() == 1000);
		assertThat(interrupted).hasValue(0);
	}

	private void scheduleMoreThanThereAreWorkers() {
		for (int i = 0; i < 10; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
	}

	private void assertAllDie(Class<? extends Throwable> cause) {
		scheduleMoreThanThereAreWorkers();
		await().until(() -> this.store.stats(QUEUE).dead() == 10);
		assertThat(this.store.list(QUEUE, TaskState.DEAD, 0, 10)).allSatisfy((task) -> {
			assertThat(this.instance.failureOf(QUEUE, task.id()).type()).isEqualTo(cause.getName());
			assertThat(this.instance.failureOf(QUEUE, task.id()).reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
		});
	}

	/** What code that is not null-marked may answer. */
	@SuppressWarnings("NullAway")
	private static <T> T missing() {
		return null;
	}

	static final class Unloadable {

		Unloadable(String text) {
			throw new NoClassDefFoundError("left out of the deployment");
		}

	}

	private static final class Speechless extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		public String getMessage() {
			throw new IllegalStateException("no message");
		}

	}

}
