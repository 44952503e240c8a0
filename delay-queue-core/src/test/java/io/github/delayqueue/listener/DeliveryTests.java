package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * When a task is delivered, and what its handler gets.
 */
@Execution(ExecutionMode.CONCURRENT)
class DeliveryTests {

	private static final String QUEUE = "orders";

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final Queue<DelayedTask<?>> handled = new ConcurrentLinkedQueue<>();

	@Test
	void deliversWhenATaskIsDueAndNotBeforeWithoutWaitingForAPoll() {
		try (ListenerFixture instance = polling(ListenerFixture.FOR_EVER)) {
			Queue<Instant> handledAt = new ConcurrentLinkedQueue<>();
			instance.register(QUEUE, (task, context) -> {
				handledAt.add(Instant.now());
				return record(task);
			}, ListenerOptions.defaults());
			instance.schedule(QUEUE, "task", "payload", Duration.ofMillis(300));
			await().until(() -> !this.handled.isEmpty());
			Instant dueAt = this.handled.element().dueAt();
			assertThat(handledAt.element()).isAfterOrEqualTo(dueAt);
		}
	}

	@Test
	void deliversWhenATaskIsDueOfWhichNoMessageTells() {
		try (ListenerFixture instance = new ListenerFixture(this.store,
				ListenerFixture.settings(ListenerFixture.FOR_EVER, Retention.NONE, null), new PatientThreads(false))) {
			instance.schedule(QUEUE, "first", "payload", Duration.ofMillis(300));
			instance.schedule(QUEUE, "second", "payload", Duration.ofMillis(600));
			instance.register(QUEUE, (task, context) -> record(task), ListenerOptions.builder().concurrency(1).build());
			await().until(() -> this.handled.size() == 2);
			assertThat(this.handled).extracting(DelayedTask::id).containsExactly("first", "second");
		}
	}

	@Test
	void passesWhatIsKnownOfATask() {
		try (ListenerFixture instance = new ListenerFixture(this.store)) {
			byte[] envelope = instance.codec()
				.writeEnvelope(QUEUE, "task", new Payload("payload", null), Map.of("tenant", "a"), TaskOptions.NONE,
						1000);
			this.store.schedule(QUEUE, List
				.of(new NewTask("task", envelope, DueTime.in(Duration.ZERO), TaskPriority.HIGH, Replacement.REPLACE)));
			Instant dueAt = this.store.find(QUEUE, "task").orElseThrow().dueAt();
			instance.register(QUEUE, (task, context) -> record(task), ListenerOptions.defaults());
			await().until(() -> !this.handled.isEmpty());
			DelayedTask<?> task = this.handled.element();
			assertThat(task).isEqualTo(
					new DelayedTask<>(QUEUE, "task", "payload", Map.of("tenant", "a"), TaskPriority.HIGH, dueAt, 0, 0));
			assertThat(task.attempt()).isEqualTo(1);
			assertThat(task.isRedelivery()).isFalse();
		}
	}

	private ListenerFixture polling(Duration interval) {
		return new ListenerFixture(this.store, ListenerFixture.settings(interval, Retention.NONE, null));
	}

	private TaskResult record(DelayedTask<?> task) {
		this.handled.add(task);
		return TaskResult.done();
	}

}
