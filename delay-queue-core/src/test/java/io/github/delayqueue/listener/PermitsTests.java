package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Permits}, on the thread of the test and with timers that fire when it
 * says so.
 */
class PermitsTests {

	private static final String QUEUE = "orders";

	private static final int LOOPS = 8;

	private static final int WORKERS = 2;

	/** What runs, the longest running first. */
	private final List<CompletableFuture<List<TaskResult>>> running = new ArrayList<>();

	private final DelayQueueListenerEndpoint endpoint = new DelayQueueListenerEndpoint("id", QUEUE, String.class,
			(deliveries) -> {
				CompletableFuture<List<TaskResult>> run = new CompletableFuture<>();
				this.running.add(run);
				return run;
			}, ListenerOptions.builder().concurrency(WORKERS).autoRenewLease(false).build(), "test");

	private final QueueOptions options = this.endpoint.options().own();

	private final Workers workers = new Workers("id", this.options, Runnable::run,
			new DeliveryRunner(this.endpoint, this.options,
					HeldTasks.runs(new InMemoryTaskStore(Clock.systemUTC()), TaskEvents.NONE, System::nanoTime),
					System::nanoTime),
			this::freed);

	private final Permits permits = new Permits(this.workers, this.options, System::nanoTime);

	private final ManualTimer timer = new ManualTimer();

	private final HeldTasks tasks = new HeldTasks(QUEUE, TaskEvents.NONE,
			HeldTasks.settlements(QUEUE, new ManualThreads())::add);

	/** Which loop has claimed, for each claim that was granted anything. */
	private final List<Integer> claimed = new ArrayList<>();

	@Test
	void loopsThatAllHaveMoreTakeTurns() {
		List<ClaimLoop> loops = IntStream.range(0, LOOPS).mapToObj(this::loop).toList();
		loops.forEach(ClaimLoop::start);
		// the first was alone when it asked first
		int settled = 2 * LOOPS;
		while (this.claimed.size() < settled + 10 * LOOPS) {
			fireDue();
			this.running.remove(0).complete(new ArrayList<>(List.of(TaskResult.done())));
		}
		List<Integer> turn = this.claimed.subList(settled, settled + LOOPS);
		assertThat(turn).doesNotHaveDuplicates();
		for (int i = settled; i < this.claimed.size(); i++) {
			assertThat(this.claimed.get(i)).as("claim %d of %s", i, this.claimed)
				.isEqualTo(turn.get((i - settled) % LOOPS));
		}
	}

	private void freed() {
		this.permits.freed();
	}

	/** A loop that would always find a task. */
	private ClaimLoop loop(int number) {
		ClaimLoop[] loop = new ClaimLoop[1];
		loop[0] = new ClaimLoop("loop " + number, () -> {
			Permits.Grant grant = this.permits.acquire(loop[0]);
			if (grant.limit() == 0) {
				return ListenerFixture.FOR_EVER;
			}
			this.claimed.add(number);
			this.workers.accept(List.of(task()));
			this.permits.release(loop[0], grant, true);
			return ListenerFixture.FOR_EVER;
		}, () -> false, this.timer, System::nanoTime, ListenerFixture.FOR_EVER, () -> 1);
		return loop[0];
	}

	/** Whatever is due, not what waits for the poll interval. */
	private void fireDue() {
		for (List<ManualTimer.Timer> due = this.timer.due(); !due.isEmpty(); due = this.timer.due()) {
			due.get(0).fire();
		}
	}

	private HeldTask task() {
		return this.tasks.task("task", Instant.now(), false);
	}

}
