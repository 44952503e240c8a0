package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Partitions;

/**
 * A task claimed by hand, with the token that settles it.
 */
final class PolledTask extends ReadableTask implements ClaimedTask {

	private final Polling polling;

	private final String queue;

	private final String partition;

	private final String token;

	private final ClaimedRecord record;

	private final Instant claimedAt;

	private final long claimedNanos = System.nanoTime();

	private volatile @Nullable Instant runAt;

	PolledTask(Polling polling, String partition, String token, ClaimedRecord record, TaskContent content,
			Instant claimedAt) {
		super(content);
		this.polling = polling;
		this.queue = Partitions.queue(partition);
		this.partition = partition;
		this.token = token;
		this.record = record;
		this.claimedAt = claimedAt;
	}

	@Override
	public String queue() {
		return this.queue;
	}

	@Override
	public String id() {
		return this.record.id();
	}

	@Override
	public Instant dueAt() {
		return this.record.dueAt();
	}

	@Override
	public Instant runAt() {
		Instant known = this.runAt;
		if (known == null) {
			known = (isRecurring() && this.record.failures() > 0) ? this.polling.runAt(this) : dueAt();
			this.runAt = known;
		}
		return known;
	}

	@Override
	public TaskPriority priority() {
		return this.record.priority();
	}

	@Override
	public int attempt() {
		return this.record.failures() + 1;
	}

	@Override
	public int expiries() {
		return this.record.expiries();
	}

	@Override
	public boolean complete() {
		return this.polling.complete(this);
	}

	@Override
	public boolean again(Duration delay) {
		return this.polling.again(this, Objects.requireNonNull(delay, "delay must not be null"));
	}

	@Override
	public boolean retry(Duration delay) {
		Objects.requireNonNull(delay, "delay must not be null");
		return this.polling.retry(this, delay, failure(null, "A retry was asked for by hand"));
	}

	@Override
	public boolean bury(String reason) {
		Objects.requireNonNull(reason, "reason must not be null");
		return this.polling.bury(this, true, failure(DeadReason.BURIED, reason));
	}

	@Override
	public boolean release() {
		return this.polling.release(this);
	}

	@Override
	public boolean extend(Duration ttr) {
		return this.polling.extend(this, Limits.requireTtr(this.queue, ttr));
	}

	/** Where it was claimed, and is to be settled. */
	String partition() {
		return this.partition;
	}

	String token() {
		return this.token;
	}

	/** How long ago it was claimed. */
	Duration age() {
		return Duration.ofNanos(System.nanoTime() - this.claimedNanos);
	}

	/** By the clock of the store, as every other time that is kept there. */
	Instant now() {
		return this.claimedAt.plus(age());
	}

	TaskFailure failure(@Nullable DeadReason reason, String message) {
		return new TaskFailure(reason, null, message, now(), isRecurring() ? runAt() : null);
	}

	/** Whether a handler may have acted for this run already. */
	boolean isBegun() {
		return this.record.failures() > 0 || this.record.leaseExpired();
	}

	boolean isRecurring() {
		return recurrence() != null;
	}

	/** When this attempt was due; of a retry while the clock is set back, the run. */
	private Instant attemptAt() {
		return runAt().isAfter(dueAt()) ? runAt() : dueAt();
	}

	/** Whether it is a run that was missed and is not to take place. */
	boolean isSkipped() {
		Recurrence recurrence = recurrence();
		// of most it is clear without a look at when their run was
		return recurrence != null && recurrence.isSkipped(dueAt(), this.claimedAt)
				&& recurrence.isSkipped(attemptAt(), this.claimedAt);
	}

	/** When it is due next, {@code null} if it does not recur, or not any more. */
	@Nullable Instant nextRun() {
		Recurrence recurrence = recurrence();
		return (recurrence != null) ? recurrence.nextAfterRun(attemptAt(), this.claimedAt) : null;
	}

	@Override
	public String toString() {
		return "Task '" + Names.printable(id()) + "' of queue '" + this.queue + "', attempt " + attempt();
	}

}
