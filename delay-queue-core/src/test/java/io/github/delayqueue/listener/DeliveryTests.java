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

import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * When a task is delivered, and what its handler gets.
 */
@Execution(ExecutionMode.CONCURRENT)
class DeliveryTests {

	private static final String QUEUE = "orders";

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final RecordingEvents events = new RecordingEvents();

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
	void claimsAgainWhenATaskBecomesDueEarlierThanAllOthers() {
		try (ListenerFixture instance = polling(ListenerFixture.FOR_EVER)) {
			instance.register(QUEUE, (task, context) -> record(task), ListenerOptions.defaults());
			instance.schedule(QUEUE, "later", "payload", Duration.ofMinutes(10));
			instance.schedule(QUEUE, "sooner", "payload", Duration.ofMillis(100));
			await().until(() -> !this.handled.isEmpty());
			assertThat(this.handled).extracting(DelayedTask::id).containsExactly("sooner");
		}
	}

	@Test
	void passesWhatIsKnownOfATask() {
		try (ListenerFixture instance = new ListenerFixture(this.store)) {
			byte[] envelope = instance.codec()
				.writeEnvelope(QUEUE, "task", new Payload("payload", null), Map.of("tenant", "a"), TaskOptions.NONE,
						1000);
			this.store.schedule(QUEUE, List.of(new NewTask("task", envelope, DueTime.in(Duration.ZERO),
					TaskPriority.HIGH, DuplicatePolicy.REPLACE)));
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

	@Test
	void passesTheIdWhereThereIsNoPayload() {
		try (ListenerFixture instance = new ListenerFixture(this.store)) {
			byte[] envelope = instance.codec().writeEnvelope(QUEUE, "task", null, Map.of(), TaskOptions.NONE, 1000);
			this.store.schedule(QUEUE, List.of(new NewTask("task", envelope, DueTime.in(Duration.ZERO),
					TaskPriority.NORMAL, DuplicatePolicy.REPLACE)));
			instance.register(QUEUE, (task, context) -> record(task), ListenerOptions.defaults());
			await().until(() -> !this.handled.isEmpty());
			assertThat(this.handled.element().payload()).isEqualTo("task");
		}
	}

	@Test
	void convertsPayloadsToGenericTypes() {
		try (ListenerFixture instance = new ListenerFixture(this.store)) {
			instance.registry().register(QUEUE, new ParameterizedTypeReference<List<Long>>() {
			}, (task, context) -> record(task), ListenerOptions.defaults());
			instance.schedule(QUEUE, "task", List.of(1, 2), Duration.ZERO);
			await().until(() -> !this.handled.isEmpty());
			assertThat(this.handled.element().payload()).isEqualTo(List.of(1L, 2L));
		}
	}

	@Test
	void deliversTheMoreUrgentOfWhatIsDueFirst() {
		try (ListenerFixture instance = new ListenerFixture(this.store, ListenerFixture.defaults(),
				new PatientThreads(false))) {
			for (TaskPriority priority : List.of(TaskPriority.LOW, TaskPriority.NORMAL, TaskPriority.HIGH)) {
				byte[] envelope = instance.codec()
					.writeEnvelope(QUEUE, priority.name(), new Payload("payload", null), Map.of(), TaskOptions.NONE,
							1000);
				this.store.schedule(QUEUE, List.of(new NewTask(priority.name(), envelope, DueTime.in(Duration.ZERO),
						priority, DuplicatePolicy.REPLACE)));
			}
			instance.register(QUEUE, (task, context) -> record(task), ListenerOptions.builder().concurrency(1).build());
			await().until(() -> this.handled.size() == 3);
			assertThat(this.handled).extracting(DelayedTask::id).containsExactly("HIGH", "NORMAL", "LOW");
		}
	}

	@Test
	void forgetsWhatIsHandledAndTellsOfIt() {
		try (ListenerFixture instance = new ListenerFixture(this.store, this.events)) {
			instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
			instance.register(QUEUE, (task, context) -> record(task), ListenerOptions.defaults());
			await().until(() -> !this.events.ends().isEmpty());
			assertThat(this.store.find(QUEUE, "task")).isEmpty();
			await().until(() -> this.store.queues().contains(QUEUE));
			RecordingEvents.End end = this.events.ends().get(0);
			assertThat(end.taskId()).isEqualTo("task");
			assertThat(end.outcome()).isEqualTo(DeliveryOutcome.SUCCESS);
			assertThat(end.took()).isPositive();
			assertThat(end.failure()).isNull();
		}
	}

	@Test
	void keepsWhatIsHandledWhereThereIsARetention() {
		Retention retention = new Retention(Duration.ofMinutes(1), null, null);
		QueueOptions settings = ListenerFixture.settings(Duration.ofSeconds(1), retention, null);
		try (ListenerFixture instance = new ListenerFixture(this.store, settings)) {
			instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
			instance.register(QUEUE, (task, context) -> record(task), ListenerOptions.defaults());
			await().until(() -> this.store.stats(QUEUE).completed() == 1);
		}
	}

	@Test
	void tellsForHowLongATaskHasBeenDue() {
		MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
		try (ListenerFixture instance = new ListenerFixture(new InMemoryTaskStore(clock), this.events)) {
			instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
			clock.advance(Duration.ofHours(3));
			long before = System.nanoTime();
			instance.register(QUEUE, (task, context) -> record(task), ListenerOptions.defaults());
			await().until(() -> !this.events.starts().isEmpty());
			// it is counted on while a task waits here
			Duration waited = Duration.ofNanos(System.nanoTime() - before);
			assertThat(this.events.starts().get(0).lateness()).isBetween(Duration.ofHours(3),
					Duration.ofHours(3).plus(waited));
		}
	}

	@Test
	void tellsOfDeadTasksThatARetentionRemoves() {
		Retention retention = new Retention(Duration.ZERO, null, 1L);
		QueueOptions settings = ListenerFixture.settings(Duration.ofMillis(50), retention, null);
		try (ListenerFixture instance = new ListenerFixture(this.store, settings, this.events)) {
			instance.register(QUEUE, (task, context) -> TaskResult.deadLetter("for a test"),
					ListenerOptions.builder().concurrency(1).build());
			instance.schedule(QUEUE, "first", "payload", Duration.ZERO);
			await().until(() -> this.store.stats(QUEUE).dead() == 1);
			instance.schedule(QUEUE, "second", "payload", Duration.ofMillis(20));
			await().until(() -> !this.events.purged().isEmpty());
			assertThat(this.events.purged()).containsExactly("first");
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
