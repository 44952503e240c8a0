package io.github.delayqueue.polling;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.StoreErrors;
import io.github.delayqueue.run.RunEnd;
import io.github.delayqueue.run.TaskRun;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;

/** A task claimed by hand, with the token that settles it. */
record PolledTask(String queue, String id, Instant dueAt, TaskPriority priority, int attempt, int leasesLost,
		TaskStore store, TaskRun run, Content content) implements ClaimedTask {

	/** Whoever has a row for a moment is waited for, for a second in all. */
	private static final int MOST_WAITS = 20;

	static PolledTask of(TaskStore store, TaskCodec codec, TaskRun run) {
		ClaimedRecord claimed = run.record();
		return new PolledTask(run.queue(), run.id(), claimed.dueAt(), claimed.priority(), run.attempt(),
				claimed.leasesLost(), store, run, Content.read(codec, run::read));
	}

	@Override
	public Instant runAt() {
		return this.run.runAt();
	}

	@Override
	public boolean complete() {
		return settle(this.run.complete(this.run.age()));
	}

	@Override
	public boolean runAgain(Duration delay) {
		return settle(this.run.again(Objects.requireNonNull(delay, "delay must not be null"), this.run.age()));
	}

	@Override
	public boolean retry(Duration delay) {
		Objects.requireNonNull(delay, "delay must not be null");
		return settle(this.run.retry(delay, this.run.failure(null, "A retry was asked for by hand")));
	}

	@Override
	public boolean deadLetter(String reason) {
		Objects.requireNonNull(reason, "reason must not be null");
		return settle(this.run.deadLetter(true, this.run.failure(DeadReason.DEAD_LETTERED, reason)));
	}

	@Override
	public boolean release() {
		return settle(this.run.release(null));
	}

	private boolean settle(RunEnd end) {
		return settle(end, this.run.age());
	}

	boolean settle(RunEnd end, Duration took) {
		try {
			Settlement settlement = this.run.handled(end, took).settlement();
			boolean applied = settle(settlement);
			this.run.ended(end, applied, took);
			return applied;
		}
		catch (RuntimeException ex) {
			throw StoreErrors.ofTask(ex, queue(), id());
		}
	}

	private boolean settle(Settlement settlement) {
		for (int left = MOST_WAITS;; left--) {
			try {
				return this.store.settle(this.run.source(), List.of(settlement)).get(0);
			}
			catch (PartlySettledException ex) {
				if (left == 0 || Thread.currentThread().isInterrupted()) {
					throw ex;
				}
				LockSupport.parkNanos(50_000_000);
			}
		}
	}

	@Override
	public boolean extend(Duration leaseDuration) {
		Extension extension = new Extension(id(), this.run.token(), this.run.requireLeaseDuration(leaseDuration));
		try {
			return this.store.extend(this.run.source(), List.of(extension)).get(0);
		}
		catch (RuntimeException ex) {
			throw StoreErrors.ofTask(ex, queue(), id());
		}
	}

	@Override
	public String toString() {
		return this.run.toString();
	}

}
