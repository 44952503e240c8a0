package io.github.delayqueue.standin;

import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.listener.ClaimPace;
import io.github.delayqueue.store.ClaimResult;

/**
 * Keeps consumers of the same tasks from racing each other. All of them know when the
 * next task is due, and all claim then; one gets it and the others have claimed in vain.
 * A consumer that loses one such race after the other comes a little later from then on,
 * by a random time up to {@link #MAX}, and so becomes the stand-in of one that is on
 * time. As soon as it finds a task that was left to it, it is on time again.
 * <p>
 * One that has no rivals loses no race and is always on time. Nothing needs to be kept in
 * the store. Times are the store's, reckoned from its last answer where a wake message
 * tells one. Thread-safe.
 */
final class Stagger implements ClaimPace {

	/** By how much a stand-in is late at most, and twice what it is at least. */
	static final Duration MAX = Duration.ofMillis(25);

	/**
	 * So many more races have to be lost than won: a consumer that is on time loses one
	 * now and then because a stand-in happened to come at the right moment.
	 */
	static final int LOSSES = 8;

	/**
	 * After this time a race that was lost is forgotten. At a lower rate claims in vain
	 * cost little, and a task that was cancelled just before it was due looks like a race
	 * that was lost.
	 */
	static final Duration FORGOTTEN_AFTER = Duration.ofMillis(10);

	/** Numbers from 0 to 1. */
	private final DoubleSupplier random;

	private boolean standIn;

	private double losses;

	private Instant lastLossAt = Instant.EPOCH;

	/**
	 * From when on something is due, as far as all consumers know; {@code null} if
	 * nothing is.
	 */
	private @Nullable Instant expectedAt;

	Stagger(DoubleSupplier random) {
		this.random = random;
	}

	@Override
	public synchronized Duration woken(Duration in, Instant now) {
		Instant at = now.plus(in);
		if (this.expectedAt == null || at.isBefore(this.expectedAt)) {
			this.expectedAt = at;
		}
		return in.plus(delay());
	}

	@Override
	public synchronized void skipped() {
		this.expectedAt = null;
	}

	@Override
	public synchronized Duration claimed(ClaimResult result) {
		Instant now = result.now();
		Instant expectedAt = this.expectedAt;
		if (!result.tasks().isEmpty()) {
			this.losses = Math.max(0, this.losses - 1);
			this.standIn = this.standIn && !wasLeftToUs(result);
		}
		else if (expectedAt != null && !now.isBefore(expectedAt) && !result.paused() && !isMoreDue(result)) {
			lost(now);
		}
		Duration wakeIn = result.wakeIn();
		this.expectedAt = (wakeIn != null) ? now.plus(wakeIn) : null;
		return (wakeIn != null && !wakeIn.isZero()) ? delay() : Duration.ZERO;
	}

	/** Whether there is more due, or what we got would have been taken by one in time. */
	private boolean wasLeftToUs(ClaimResult result) {
		Instant missed = result.now().minus(MAX.dividedBy(2));
		return isMoreDue(result)
				|| result.tasks().stream().anyMatch((task) -> !task.leaseLost() && task.dueAt().isBefore(missed));
	}

	private static boolean isMoreDue(ClaimResult result) {
		Duration wakeIn = result.wakeIn();
		return wakeIn != null && wakeIn.isZero();
	}

	private void lost(Instant at) {
		if (this.losses > 0) {
			double forgotten = (double) Duration.between(this.lastLossAt, at).toNanos() / FORGOTTEN_AFTER.toNanos();
			this.losses = Math.max(0, this.losses - Math.max(0, forgotten));
		}
		this.losses++;
		this.lastLossAt = at;
		if (this.losses >= LOSSES) {
			this.losses = 0;
			this.standIn = true;
		}
	}

	private Duration delay() {
		return this.standIn ? Duration.ofNanos((long) (MAX.toNanos() * (0.5 + this.random.getAsDouble() / 2)))
				: Duration.ZERO;
	}

}
