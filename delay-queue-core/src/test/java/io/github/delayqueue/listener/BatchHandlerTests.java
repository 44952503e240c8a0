package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that take several tasks at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
class BatchHandlerTests {

	private static final String QUEUE = "orders";

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final QueueOptions settings = ListenerFixture.settings(Duration.ofMillis(100), Retention.NONE, null);

	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(this.store, this.settings, new PatientThreads(false));

	private final Queue<List<String>> batches = new ConcurrentLinkedQueue<>();

	@Test
	void getsWhatIsDueTogetherInOneCallUpToTheBatchSize() {
		schedule(25);
		register(ListenerOptions.builder().concurrency(1).batchSize(10).build(), (ids) -> done(ids.size()));
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 25);
		assertThat(this.batches.element()).hasSize(10);
		assertThat(this.batches).allMatch((ids) -> ids.size() <= 10);
		assertThat(this.batches).flatExtracting((ids) -> ids).doesNotHaveDuplicates().hasSize(25);
	}

	@Test
	void takesOneTimeForAllTasksOfABatch() {
		Queue<Duration> took = new ConcurrentLinkedQueue<>();
		TaskEventListener events = new TaskEventListener() {

			@Override
			public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration duration,
					@Nullable TaskFailure failure) {
				took.add(duration);
			}

		};
		try (ListenerFixture other = new ListenerFixture(this.store, this.settings, new PatientThreads(false),
				events)) {
			schedule(4);
			other.register(QUEUE, ListenerOptions.builder().batchSize(4).build(), (deliveries) -> {
				LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
				return CompletableFuture.completedFuture(done(deliveries.size()));
			});
			await().until(() -> took.size() == 4);
		}
		assertThat(took).containsOnly(took.element());
		assertThat(QueueView.of(this.store).history(QUEUE).hours()).singleElement().satisfies((hour) -> {
			assertThat(hour.completed()).isEqualTo(4);
			assertThat(hour.handling()).isBetween(took.element().minusNanos(4000), took.element());
		});
	}

	@Test
	void answersForEachTask() {
		schedule(4);
		List<TaskResult> results = List.of(TaskResult.done(), TaskResult.deadLetter("unwanted"),
				TaskResult.failed(new IllegalStateException("broken")), TaskResult.retryAfter(Duration.ofHours(2)));
		register(ListenerOptions.builder()
			.batchSize(4)
			.retry(ListenerFixture.fixedDelay(3, Duration.ofHours(1)))
			.build(), (ids) -> results);
		await().until(() -> QueueView.of(this.store).stats(QUEUE), (stats) -> stats.inFlight() + stats.due() == 0);
		assertThat(this.batches).containsExactly(List.of("task-0", "task-1", "task-2", "task-3"));
		assertThat(this.store.find(QUEUE, "task-0")).isEmpty();
		assertThat(find("task-1").state()).isEqualTo(TaskState.DEAD);
		assertThat(this.instance.failureOf(QUEUE, "task-1").reason()).isEqualTo(DeadReason.DEAD_LETTERED);
		assertThat(find("task-2").state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(this.instance.failureOf(QUEUE, "task-2").message()).isEqualTo("broken");
		assertThat(Duration.between(find("task-2").at(), find("task-3").at())).isBetween(Duration.ofMinutes(59),
				Duration.ofMinutes(61));
	}

	@Test
	void failsAltogetherWhenItThrows() {
		schedule(3);
		register(ListenerFixture.attempts(1).batchSize(3).build(), (ids) -> {
			throw new IllegalStateException("broken");
		});
		await().until(() -> QueueView.of(this.store).stats(QUEUE).dead() == 3);
		assertThat(this.instance.failureOf(QUEUE, "task-2").message()).isEqualTo("broken");
	}

	@Test
	void leavesOutWhatMustNotRun() {
		schedule(2);
		this.instance.schedule(QUEUE, "unreadable", List.of("no", "string"), Duration.ZERO);
		register(ListenerOptions.builder().batchSize(3).build(), (ids) -> done(ids.size()));
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 2);
		assertThat(this.batches).flatExtracting((ids) -> ids).containsExactlyInAnyOrder("task-0", "task-1");
		await().until(() -> QueueView.of(this.store).stats(QUEUE).dead() == 1);
	}

	@Test
	void claimsOnlyWhatFreeWorkersCanTakeUpWhileOneIsBusyWithAPartOfABatch() {
		Gate gate = new Gate();
		try (ListenerFixture handingBack = new ListenerFixture(this.store, this.settings)) {
			register(handingBack, ListenerOptions.builder().concurrency(2).batchSize(10).build(), (ids) -> {
				gate.pass();
				return done(ids.size());
			});
			schedule(1);
			await().until(() -> gate.waiting() == 1);
			for (int i = 0; i < 30; i++) {
				this.instance.schedule(QUEUE, "more-" + i, "payload", Duration.ofMillis(20));
			}
			await().until(() -> gate.waiting() == 2);
			// what a claim brings that was under way by then is released
			awaitPoll(handingBack);
			awaitPoll(handingBack);
			int held = this.batches.stream().mapToInt(List::size).sum();
			await().until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() == held);
			int claims = this.store.calls(Step.CLAIM);
			await().pollDelay(Duration.ofMillis(400)).until(() -> true);
			assertThat(this.store.calls(Step.CLAIM) - claims).as("claims while no worker is free").isZero();
			gate.open();
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 31);
		}
	}

	private static void awaitPoll(ListenerFixture instance) {
		Instant before = Instant.now();
		await().until(() -> instance.registry().get(QUEUE).status().lastPollAt().isAfter(before));
	}

	private void schedule(int tasks) {
		for (int i = 0; i < tasks; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
	}

	private void register(ListenerOptions options, Handler handler) {
		register(this.instance, options, handler);
	}

	private void register(ListenerFixture instance, ListenerOptions options, Handler handler) {
		instance.register(QUEUE, options, (deliveries) -> {
			List<String> ids = deliveries.stream().map((delivery) -> delivery.task().id()).toList();
			this.batches.add(ids);
			return CompletableFuture.completedFuture(handler.handle(ids));
		});
	}

	private static List<TaskResult> done(int tasks) {
		return Collections.nCopies(tasks, TaskResult.done());
	}

	private StoredTask find(String taskId) {
		return this.store.find(QUEUE, taskId).orElseThrow();
	}

	@FunctionalInterface
	private interface Handler {

		List<TaskResult> handle(List<String> ids) throws Exception;

	}

}
