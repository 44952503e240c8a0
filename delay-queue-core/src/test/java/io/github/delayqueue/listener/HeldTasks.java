package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.run.ClaimTurns;
import io.github.delayqueue.run.TaskClaim;
import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

/**
 * Tasks that a container holds, of a claim that was answered at a certain time.
 */
final class HeldTasks {

	static final Duration LEASE_DURATION = Duration.ofSeconds(30);

	private final TaskClaim claim;

	private final Consumer<HeldTask> whenEnded;

	HeldTasks(String queue, TaskEvents events, Consumer<HeldTask> whenEnded) {
		this(queue, events, whenEnded, Instant.now(), System::nanoTime);
	}

	HeldTasks(String queue, TaskEvents events, Consumer<HeldTask> whenEnded, Instant now, LongSupplier nanoTime) {
		TaskStore store = new InMemoryTaskStore(Clock.fixed(now, ZoneOffset.UTC));
		this.claim = TaskClaim
			.ask(runs(store, events, nanoTime), queue, queue,
					ClaimRequest.of(new ClaimTurns().next("").token(), 1, LEASE_DURATION))
			.claim();
		this.whenEnded = whenEnded;
	}

	static TaskRuns runs(TaskStore store, TaskEvents events, LongSupplier nanoTime) {
		return new TaskRuns(store, Codecs.create(), events, 5, null, false, nanoTime);
	}

	/** What settles nothing unless a timer of the threads fires. */
	static SourceSettlements settlements(String queue, ContainerThreads threads) {
		SourceCalls calls = calls(queue, new InMemoryTaskStore(Clock.systemUTC()), TaskEvents.NONE, threads);
		return new SourceSettlements(calls, new Leases(calls, Duration.ofHours(1), () -> {
		}));
	}

	static SourceCalls calls(String queue, TaskStore store, TaskEvents events, ContainerThreads threads) {
		return new SourceCalls(queue, queue, runs(store, events, threads::nanoTime), threads, new AtomicBoolean());
	}

	HeldTask task(String id, Instant dueAt, boolean renewed) {
		ClaimedRecord record = new ClaimedRecord(id, "{\"v\":1,\"p\":\"payload\"}".getBytes(), TaskPriority.NORMAL,
				dueAt, 0, 0, false, null);
		return new HeldTask(this.claim, record, this.whenEnded, LEASE_DURATION, renewed);
	}

}
