package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.run.TaskClaim;
import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.TaskStore;

/**
 * Tasks that were claimed at the time zero, with leases of half a minute. Nobody reads
 * them: the checker has to prepare all that can be reached, so there is no codec.
 */
final class RacedTasks {

	static final Duration LEASE_DURATION = Duration.ofSeconds(30);

	private final TaskRuns runs;

	RacedTasks(@Nullable TaskStore store, LongSupplier nanoTime) {
		this.runs = new TaskRuns(store, null, TaskEvents.NONE, 5, null, false, nanoTime);
	}

	SourceCalls calls(ContainerThreads threads) {
		return new SourceCalls("raced", "raced", this.runs, threads, new AtomicBoolean());
	}

	HeldTask task(String id, Consumer<HeldTask> whenEnded) {
		TaskClaim claim = new TaskClaim(this.runs, "raced", "raced", "token", 0, 0, Instant.EPOCH);
		return new HeldTask(claim,
				new ClaimedRecord(id, new byte[0], TaskPriority.NORMAL, Instant.EPOCH, 0, 0, false, null), whenEnded,
				LEASE_DURATION, true);
	}

}
