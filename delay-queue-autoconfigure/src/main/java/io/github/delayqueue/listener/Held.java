package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.store.ClaimedRecord;

/**
 * A task that this container has claimed and not yet settled. Deadlines are of the local
 * monotonic clock and counted from before the request was sent, so that they pass no
 * later than the store's.
 */
final class Held {

	private final String partition;

	private final ClaimedRecord record;

	private final String token;

	private final StoreTime storeTime;

	private volatile long ttrNanos;

	private volatile long deadline;

	private volatile long extendAt;

	private volatile boolean renewed;

	/** The ttr has changed, and the lease does not know it yet. */
	private volatile boolean ttrChanged;

	private volatile boolean leaseLost;

	private volatile boolean replaced;

	private volatile boolean over;

	private Duration pause = Duration.ZERO;

	private @Nullable Consumer<Boolean> whenSettled;

	private TaskOptions options = TaskOptions.NONE;

	private @Nullable Instant runAt;

	Held(String partition, ClaimedRecord record, String token, StoreTime storeTime, long sentAt, Duration ttr,
			boolean renewed) {
		this.partition = partition;
		this.record = record;
		this.token = token;
		this.storeTime = storeTime;
		this.renewed = renewed;
		this.ttrNanos = ttr.toNanos();
		extendedAt(sentAt, ttr);
	}

	/** The name that the store knows the task's place by. */
	String partition() {
		return this.partition;
	}

	ClaimedRecord record() {
		return this.record;
	}

	String id() {
		return this.record.id();
	}

	String token() {
		return this.token;
	}

	StoreTime storeTime() {
		return this.storeTime;
	}

	TaskOptions options() {
		return this.options;
	}

	void setOptions(TaskOptions options) {
		this.options = options;
	}

	/** Of a recurring task: the time of the run, the same in all attempts at it. */
	Instant runAt() {
		return (this.runAt != null) ? this.runAt : this.record.dueAt();
	}

	void setRunAt(Instant runAt) {
		this.runAt = runAt;
	}

	/** When this attempt was due; of a retry while the clock is set back, the run. */
	private Instant attemptAt() {
		return runAt().isAfter(this.record.dueAt()) ? runAt() : this.record.dueAt();
	}

	/** Whether it is a run that was missed and is not to take place. */
	boolean isSkipped() {
		Recurrence recurrence = this.options.recurrence();
		return recurrence != null && recurrence.isSkipped(attemptAt(), this.storeTime.at());
	}

	/** Whether a handler may have acted for this run already. */
	boolean isBegun() {
		return this.record.failures() > 0 || this.record.leaseExpired();
	}

	/**
	 * When the task is due after this delivery.
	 * @return the time, {@code null} if it does not recur, or not any more
	 */
	@Nullable Instant nextRun() {
		Recurrence recurrence = this.options.recurrence();
		return (recurrence != null) ? recurrence.nextAfterRun(attemptAt(), this.storeTime.at()) : null;
	}

	/** How long this delivery has been due. */
	Duration lateness() {
		Duration lateness = Duration.between(this.record.dueAt(), this.storeTime.now());
		return lateness.isNegative() ? Duration.ZERO : lateness;
	}

	Duration ttr() {
		return Duration.ofNanos(this.ttrNanos);
	}

	long ttrNanos() {
		return this.ttrNanos;
	}

	/**
	 * Give the lease another length than it was claimed with, by an extension that is due
	 * at once whether or not the lease is renewed later.
	 * @param ttr the length
	 */
	void changeTtr(Duration ttr) {
		this.ttrNanos = ttr.toNanos();
		this.extendAt = System.nanoTime();
		this.ttrChanged = true;
	}

	void extendedAt(long sentAt, Duration ttr) {
		this.deadline = sentAt + ttr.toNanos();
		this.extendAt = sentAt + ttr.toNanos() / 3;
		this.ttrChanged = false;
	}

	void tryAgainAt(long at) {
		this.extendAt = at;
	}

	boolean isExtensionDue(long now) {
		return (this.renewed || this.ttrChanged) && !this.leaseLost && this.extendAt - now <= 0;
	}

	boolean isOverdue(long now) {
		return this.deadline - now <= 0;
	}

	/**
	 * Be told when its delivery has ended for the store. To be called before it is handed
	 * on.
	 * @param listener is told whether it was handled, and not handed back
	 */
	void whenSettled(Consumer<Boolean> listener) {
		this.whenSettled = listener;
	}

	void settled(boolean handled) {
		if (this.whenSettled != null) {
			this.whenSettled.accept(handled);
		}
	}

	/**
	 * The store holds its settlement back.
	 * @return after what time to try it again, later each time
	 */
	Duration holdBack() {
		this.pause = Settlements.longer(this.pause);
		return this.pause;
	}

	/** The handler has scheduled its id anew. */
	void replacedByItsHandler() {
		this.replaced = true;
	}

	boolean isReplacedByItsHandler() {
		return this.replaced;
	}

	/** There is nothing to settle: another task has its place. */
	void setOver() {
		this.over = true;
	}

	boolean isOver() {
		return this.over;
	}

	/** The lease is not extended any more. */
	void stopRenewing() {
		this.renewed = false;
		this.ttrChanged = false;
	}

	/** Whether the store has said so, or nobody can tell because the lease is over. */
	boolean isLeaseLost(long now) {
		return this.leaseLost || isOverdue(now);
	}

	void loseLease() {
		this.leaseLost = true;
	}

}
