package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.run.RunEnd;
import io.github.delayqueue.run.TaskClaim;
import io.github.delayqueue.run.TaskRun;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Settlement;

/**
 * A task that this container has claimed and not yet settled. Deadlines are of the local
 * monotonic clock and counted from before the request was sent, so that they pass no
 * later than the store's.
 */
final class HeldTask extends TaskRun implements ClaimGuard.Held {

	private static final Logger logger = LoggerFactory.getLogger(HeldTask.class);

	private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);

	private static final Duration MAX_BACKOFF = Duration.ofSeconds(1);

	private static final long MIN_EXTENSION = TimeUnit.MILLISECONDS.toNanos(1);

	private final Consumer<HeldTask> whenEnded;

	private final long claimedAt;

	private volatile Duration leaseDuration;

	private volatile long deadline;

	private volatile long extendAt;

	/** When the last extension was answered. */
	private long answeredAt;

	private volatile boolean renewed;

	/** The lease duration has changed, and the lease does not know it yet. */
	private volatile boolean leaseDurationChanged;

	/** The store is to be asked whether it is still held. */
	private volatile boolean asked;

	private volatile boolean leaseLost;

	private volatile boolean replaced;

	private volatile boolean over;

	private Duration pause = Duration.ZERO;

	private @Nullable Consumer<Boolean> whenSettled;

	private volatile @Nullable Consumer<Boolean> report;

	private volatile @Nullable RunEnd end;

	private volatile Duration took = Duration.ZERO;

	HeldTask(TaskClaim claim, ClaimedRecord record, Consumer<HeldTask> whenEnded, Duration leaseDuration,
			boolean renewed) {
		super(claim, record);
		this.whenEnded = whenEnded;
		this.claimedAt = claim.sentAt();
		this.renewed = renewed;
		this.leaseDuration = leaseDuration;
		this.answeredAt = claim.sentAt();
		extendedAt(claim.sentAt(), leaseDuration);
	}

	/** Settle it without a call of a handler. */
	void endWith(RunEnd end) {
		endWith(end, Duration.ZERO, Duration.ZERO);
	}

	/**
	 * Settle it. Without effect if it has an end already.
	 * @param took how long the handler ran
	 * @param handling its share of that
	 */
	void endWith(RunEnd end, Duration took, Duration handling) {
		if (this.end == null) {
			this.took = took;
			this.end = handled(end, handling);
			this.whenEnded.accept(this);
		}
	}

	Settlement settlement() {
		return Objects.requireNonNull(this.end, "It has not ended").settlement();
	}

	/** When the claim was sent. */
	long claimedAt() {
		return this.claimedAt;
	}

	Duration leaseDuration() {
		return this.leaseDuration;
	}

	/**
	 * Give the lease another length than it was claimed with, by an extension that is due
	 * at once whether or not the lease is renewed later.
	 */
	synchronized void changeLeaseDuration(Duration leaseDuration) {
		this.leaseDuration = leaseDuration;
		this.leaseDurationChanged = true;
		check();
	}

	/** Ask the store soon whether it is still held, even if the lease is not renewed. */
	synchronized void check() {
		this.asked = true;
		this.extendAt = nanoTime();
	}

	/**
	 * An extension is about to be sent: how long the lease is to last from now. A check
	 * does not make it shorter, and leaves its end if it is not renewed.
	 */
	synchronized Duration extension(long now) {
		boolean check = this.asked && !this.leaseDurationChanged;
		this.asked = false;
		Duration left = Duration.ofNanos(Math.max(MIN_EXTENSION, this.deadline - now));
		return check && (!this.renewed || left.compareTo(this.leaseDuration) > 0) ? left : this.leaseDuration;
	}

	/** By the handler, which knows better than the task. */
	synchronized void extendedByItsHandler(long sentAt, Duration leaseDuration) {
		this.leaseDurationChanged = false;
		extendedAt(sentAt, leaseDuration);
	}

	/** Of two that were under way together nobody knows which the store saw last. */
	synchronized void extendedAt(long sentAt, Duration leaseDuration) {
		long until = sentAt + leaseDuration.toNanos();
		boolean together = sentAt - this.answeredAt < 0;
		this.deadline = (together && this.deadline - until < 0) ? this.deadline : until;
		this.answeredAt = nanoTime();
		if (!this.asked) {
			this.leaseDurationChanged = false;
			this.extendAt = together ? this.answeredAt : sentAt + leaseDuration.toNanos() / 3;
		}
	}

	synchronized void tryAgainAt(long at) {
		this.asked = true;
		this.extendAt = at;
	}

	boolean isExtensionDue(long now) {
		boolean wanted = this.renewed || this.leaseDurationChanged || this.asked && !isOverdue(now);
		return wanted && !this.leaseLost && this.extendAt - now <= 0;
	}

	boolean isOverdue(long now) {
		return this.deadline - now <= 0;
	}

	@Override
	public void whenSettled(Consumer<Boolean> listener) {
		this.whenSettled = listener;
	}

	/** Say something once it is known whether the store has taken its end. */
	void reportWhenSettled(Consumer<Boolean> report) {
		this.report = report;
	}

	/** Its delivery has ended for the store. */
	void settled(boolean applied) {
		report(applied);
		RunEnd end = Objects.requireNonNull(this.end, "It has not ended");
		if (this.whenSettled != null) {
			this.whenSettled.accept(end.outcome() != null);
		}
		ended(end, applied, this.took);
	}

	/** Others are to be told although it cannot be said: a log may throw anything. */
	private void report(boolean applied) {
		Consumer<Boolean> report = this.report;
		if (report != null) {
			try {
				report.accept(applied);
			}
			catch (RuntimeException | Error ex) {
				logger.debug("The outcome of task '{}' could not be reported", Names.printable(id()), ex);
			}
		}
	}

	/** The store holds its settlement back: after what time to try it again. */
	Duration holdBack() {
		this.pause = longer(this.pause);
		return this.pause;
	}

	/** Longer than the pause before, which is zero at first. */
	static Duration longer(Duration pause) {
		Duration twice = pause.isZero() ? FIRST_BACKOFF : pause.multipliedBy(2);
		return (twice.compareTo(MAX_BACKOFF) < 0) ? twice : MAX_BACKOFF;
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
		this.leaseDurationChanged = false;
	}

	/** Whether the store has said so, or nobody can tell because the lease is over. */
	boolean isLeaseLost(long now) {
		return this.leaseLost || isOverdue(now);
	}

	void loseLease() {
		this.leaseLost = true;
	}

	/** Whether the store has said that it has another holder, or none. */
	boolean isCancelled() {
		return this.leaseLost && !this.replaced;
	}

}
