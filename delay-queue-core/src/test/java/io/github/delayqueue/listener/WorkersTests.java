package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.ClaimPart;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of {@link Workers}, on the thread of the test.
 */
class WorkersTests {

	private static final Option<Limit> LIMIT = Option.of("limit", Limit.class, null);

	private static final String QUEUE = "orders";

	/** So many rounds meet whatever lies between two steps of another thread. */
	private static final int MANY = 50_000;

	private final AtomicInteger freed = new AtomicInteger();

	private final SourceSettlements settlements = HeldTasks.settlements(QUEUE, new ManualThreads());

	private final HeldTasks tasks = new HeldTasks(QUEUE, TaskEvents.NONE, this.settlements::add);

	private final List<CompletableFuture<List<TaskResult>>> running = new ArrayList<>();

	private final List<Integer> batches = new ArrayList<>();

	/** Of the latest workers. */
	private DeliveryRunner runner;

	@Test
	void countsAHandlerThatRunsWithItsWholeBatch() {
		Workers workers = workers(2, 10, Runnable::run);
		assertThat(workers.claimable(0)).isEqualTo(20);
		workers.accept(tasks(3));
		assertThat(this.batches).containsExactly(3);
		assertThat(workers.claimable(0)).isEqualTo(10);
		assertThat(workers.idle()).isEqualTo(10);
		assertThat(this.runner.active()).isEqualTo(3);
		workers.accept(tasks(10));
		assertThat(this.batches).containsExactly(3, 10);
		assertThat(workers.claimable(0)).isZero();
		this.running.get(0).completeExceptionally(new IllegalStateException("for a test"));
		assertThat(workers.claimable(0)).isEqualTo(10);
		assertThat(this.freed).hasValue(1);
		this.running.get(1).completeExceptionally(new IllegalStateException("for a test"));
		assertThat(workers.claimable(0)).isEqualTo(20);
		assertThat(workers.isIdle()).isTrue();
		assertThat(this.settlements.pending()).isEqualTo(13);
	}

	/** Whoever waits for that claims the next task on this thread, and runs it. */
	@Test
	void isIdleOnlyOnceItsWorkersAreFreeForWhatIsClaimedNext() {
		ExecutorService elsewhere = Executors.newSingleThreadExecutor();
		Workers workers = workers(1, 1, Runnable::run);
		try {
			for (int i = 0; i < MANY; i++) {
				workers.accept(tasks(1));
				elsewhere.execute(() -> this.running.remove(0).complete(List.of(TaskResult.done())));
				while (!workers.isIdle()) {
					Thread.onSpinWait();
				}
				assertThat(workers.claimable(0)).as("round %s", i).isOne();
			}
		}
		finally {
			elsewhere.shutdownNow();
		}
	}

	@Test
	void claimsNothingInAdvanceWhereThatWouldKeepOtherInstancesFromWorking() {
		Workers workers = workers(true, true, 2, 1, Runnable::run);
		Workers unlimited = workers(false, true, 2, 1, Runnable::run);
		// more than once if the machine stood still: the handler looks slow
		await().until(() -> {
			for (Workers each : List.of(workers, unlimited)) {
				each.accept(tasks(1));
				this.running.get(this.running.size() - 1).complete(List.of(TaskResult.done()));
			}
			assertThat(workers.claimable(0)).isEqualTo(2);
			return unlimited.claimable(0) > 2;
		});
	}

	/** Whoever waits until nothing is reserved or unsettled would miss it in between. */
	@Test
	void releasesWhatHasNotStartedAndCountsItUntilItsEndIsHandedOn() {
		Workers workers = workers(1, 1, Runnable::run);
		List<String> ended = new ArrayList<>();
		HeldTasks watched = new HeldTasks(QUEUE, TaskEvents.NONE, (task) -> {
			ended.add(task.id());
			assertThat(workers.reserved()).isEqualTo(5);
		});
		workers.accept(tasks(watched, 5));
		workers.release();
		assertThat(ended).containsExactly("task-1", "task-2", "task-3", "task-4");
		assertThat(workers.reserved()).isEqualTo(1);
		assertThat(workers.claimable(0)).isZero();
	}

	@Test
	void keepsAllItsWorkersWhateverGoesWrongAtTheEndOfADelivery() {
		ContainerThreads.Calls broken = mock(ContainerThreads.Calls.class);
		given(broken.schedule(any(), any())).willThrow(new IllegalStateException("for a test"));
		Workers workers = workers(2, 1, Runnable::run);
		List<HeldTask> tasks = IntStream.range(0, 2)
			.mapToObj((i) -> new HeldTasks(QUEUE, TaskEvents.NONE,
					HeldTasks.settlements(QUEUE, new ManualThreads(broken, (calls) -> false))::add))
			.map((each) -> each.task("task", Instant.now(), true))
			.toList();
		workers.accept(tasks);
		this.running.forEach((run) -> run.complete(List.of(TaskResult.done())));
		assertThat(workers.isIdle()).isTrue();
		assertThat(workers.claimable(0)).isEqualTo(2);
		assertThat(tasks).allMatch((held) -> !held.isExtensionDue(System.nanoTime() + Duration.ofDays(1).toNanos()));
		workers.accept(tasks(2));
		assertThat(this.batches).hasSize(4);
	}

	@Test
	void keepsItsWorkersWhenNoThreadCanBeStarted() {
		List<Throwable> failures = new ArrayList<>(
				List.of(new OutOfMemoryError("unable to create native thread"), new RejectedExecutionException()));
		Workers workers = workers(1, 1, (task) -> {
			if (failures.isEmpty()) {
				task.run();
			}
			else if (failures.remove(0) instanceof Error error) {
				throw error;
			}
			else {
				throw new RejectedExecutionException("for a test");
			}
		});
		for (int i = 0; i < 2; i++) {
			workers.accept(tasks(1));
			workers.release();
			assertThat(this.settlements.pending()).isEqualTo(i + 1);
		}
		workers.accept(tasks(1));
		assertThat(this.batches).containsExactly(1);
	}

	@Test
	void startsOneWorkerAfterTheOtherForAQuickHandler() {
		List<Runnable> started = new ArrayList<>();
		Workers workers = workers(4, 1, started::add);
		workers.accept(tasks(2));
		assertThat(started).as("not measured yet").hasSize(2);
		runAndEnd(started);
		workers.accept(List.of());
		assertThat(started).as("nothing was claimed").isEmpty();
		workers.accept(tasks(3));
		while (started.size() > 1) {
			// the machine stood still: the handler looks slow
			runAndEnd(started);
			workers.accept(tasks(3));
		}
		int before = this.batches.size();
		assertThat(started).hasSize(1);
		started.get(0).run();
		assertThat(started).as("started by the first, which is busy").hasSize(2);
		started.get(1).run();
		assertThat(started).as("started by the second, which is busy").hasSize(3);
		started.get(2).run();
		assertThat(this.batches).hasSize(before + 3);
	}

	private void runAndEnd(List<Runnable> started) {
		for (int i = 0; i < started.size(); i++) {
			started.get(i).run();
		}
		this.running.forEach((run) -> run.complete(List.of(TaskResult.done())));
		started.clear();
	}

	private Workers workers(int concurrency, int batchSize, Executor executor) {
		return workers(false, false, concurrency, batchSize, executor);
	}

	private Workers workers(boolean limited, boolean renew, int concurrency, int batchSize, Executor executor) {
		DelayQueueListenerEndpoint endpoint = new DelayQueueListenerEndpoint("id", QUEUE, String.class,
				(deliveries) -> {
					this.batches.add(deliveries.size());
					CompletableFuture<List<TaskResult>> run = new CompletableFuture<>();
					this.running.add(run);
					return run;
				},
				ListenerOptions.builder().concurrency(concurrency).batchSize(batchSize).autoRenewLease(renew).build(),
				"test");
		QueueOptions queue = QueueOptions.builder().with(LIMIT, limited ? new Limit() : null).build();
		QueueOptions options = endpoint.options().own().withDefaults(queue);
		TaskRuns runs = HeldTasks.runs(new InMemoryTaskStore(Clock.systemUTC()), TaskEvents.NONE, System::nanoTime);
		this.runner = new DeliveryRunner(endpoint, options, runs, System::nanoTime);
		return new Workers("id", options, executor, this.runner, this.freed::incrementAndGet);
	}

	private static final class Limit implements ClaimPart {

		@Override
		public String name() {
			return "limit";
		}

		@Override
		public String argument() {
			return "";
		}

		@Override
		public ClaimPart share(int number, int sources) {
			return this;
		}

		@Override
		public boolean countsInFlight() {
			return true;
		}

	}

	private List<HeldTask> tasks(int count) {
		return tasks(this.tasks, count);
	}

	private static List<HeldTask> tasks(HeldTasks tasks, int count) {
		return IntStream.range(0, count).mapToObj((i) -> tasks.task("task-" + i, Instant.now(), true)).toList();
	}

}
