package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;

import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;

/**
 * Keeps consumers of the same tasks from racing each other. All of them know when the
 * next task is due, and all claim then; one gets it and the others have claimed in vain.
 * A consumer that loses one such race after the other comes a little later, by a random
 * time up to {@link #MAX}, and so becomes the stand-in of one that is on time. As soon as
 * it finds a task that was left to it, it is on time again.
 * <p>
 * One that has no rivals loses no race and is always on time. Nothing needs to be kept in
 * the store. Times are of the local monotonic clock. Thread-safe.
 */
final class Stagger {

	/** By how much a stand-in is late at most. */
	static final Duration MAX = Duration.ofMillis(25);

	private static final long MAX_NANOS = MAX.toNanos();

	private static final long FIRST_NANOS = MAX_NANOS / 8;

	/**
	 * So many races have to be lost in a row: a consumer that is on time loses one now
	 * and then because a stand-in happened to come at the right moment.
	 */
	static final int LOSSES = 8;

	/**
	 * And within this time. At a lower rate claims in vain cost little, and a task that
	 * was cancelled just before it was due looks like a race that was lost.
	 */
	static final Duration WINDOW = Duration.ofMillis(80);

	private final DoubleSupplier random;

	private long nanos;

	private int losses;

	private long firstLossAt;

	private boolean expecting;

	/** From when on something is due, as far as all consumers know. */
	private long expectedAt;

	/**
	 * Create a stagger of zero.
	 * @param random answers numbers from 0 to 1
	 */
	Stagger(DoubleSupplier random) {
		this.random = random;
	}

	/**
	 * A wake message has come.
	 * @param in after what time something is due
	 * @param now the time
	 * @return after what time to claim
	 */
	synchronized Duration woken(Duration in, long now) {
		long at = now + in.toNanos();
		if (!this.expecting || at - this.expectedAt < 0) {
			this.expecting = true;
			this.expectedAt = at;
		}
		return in.plus(delay());
	}

	/**
	 * Nothing could be claimed because no worker is free, so no race was lost either.
	 */
	synchronized void skipped() {
		this.expecting = false;
		this.losses = 0;
	}

	/**
	 * A claim was answered.
	 * @param result the answer
	 * @param sentAt when it was sent
	 * @param now when the answer had come
	 * @return by how much the next claim is to be later than what the answer says
	 */
	synchronized Duration claimed(ClaimResult result, long sentAt, long now) {
		if (!result.tasks().isEmpty()) {
			this.losses = 0;
			if (this.nanos > 0 && wasLeftToUs(result)) {
				this.nanos = 0;
			}
		}
		else if (this.expecting && sentAt - this.expectedAt >= 0 && !result.paused() && !isMoreDue(result)) {
			lost(sentAt);
		}
		Duration wakeIn = result.wakeIn();
		this.expecting = wakeIn != null;
		if (wakeIn == null || wakeIn.isZero()) {
			return Duration.ZERO;
		}
		this.expectedAt = now + wakeIn.toNanos();
		return delay();
	}

	/** Whether there is more due, or what we got would have been taken by one in time. */
	private boolean wasLeftToUs(ClaimResult result) {
		if (isMoreDue(result)) {
			return true;
		}
		Instant missed = result.now().minusNanos(this.nanos / 2);
		for (ClaimedRecord task : result.tasks()) {
			if (!task.leaseExpired() && task.dueAt().isBefore(missed)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isMoreDue(ClaimResult result) {
		Duration wakeIn = result.wakeIn();
		return wakeIn != null && wakeIn.isZero();
	}

	private void lost(long at) {
		if (this.nanos > 0) {
			this.nanos = Math.min(2 * this.nanos, MAX_NANOS);
			return;
		}
		if (this.losses == 0 || at - this.firstLossAt > WINDOW.toNanos()) {
			this.losses = 0;
			this.firstLossAt = at;
		}
		this.losses++;
		if (this.losses == LOSSES) {
			this.losses = 0;
			this.nanos = FIRST_NANOS;
		}
	}

	private Duration delay() {
		return (this.nanos == 0) ? Duration.ZERO
				: Duration.ofNanos((long) (this.nanos * (0.5 + this.random.getAsDouble() / 2)));
	}

	/**
	 * By how much claims are late at most.
	 * @return zero for a consumer that is on time
	 */
	synchronized Duration current() {
		return Duration.ofNanos(this.nanos);
	}

}
