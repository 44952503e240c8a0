package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.ClaimResult;

/**
 * What a claim brought.
 *
 * @param next after what time to claim again, zero for at once
 * @param from since when that time has been passing, by the local monotonic clock;
 * {@code null} where it begins when the claim is over
 * @param result what the store has answered, {@code null} if it was not asked
 */
record ClaimAnswer(List<HeldTask> tasks, Duration next, @Nullable Long from, @Nullable ClaimResult result) {

	/** How much is left of the time after which to claim again. */
	Duration left(long now) {
		return (this.from != null) ? Duration.ofNanos(Math.max(1, this.next.toNanos() - (now - this.from))) : this.next;
	}

}
