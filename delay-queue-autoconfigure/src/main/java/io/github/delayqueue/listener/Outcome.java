package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.store.Settlement;

/**
 * How a delivery is to end.
 *
 * @param held the task
 * @param settlement what the store is told
 * @param event what listeners for events are told, {@code null} for nothing: the task was
 * handed back
 * @param took how long the handler ran
 * @param failure what went wrong, {@code null} for a success
 */
record Outcome(Held held, Settlement settlement, @Nullable DeliveryOutcome event, Duration took,
		@Nullable TaskFailure failure) {

	static Outcome release(Held held, @Nullable Duration delay) {
		return new Outcome(held, Settlement.release(held.id(), held.token(), delay), null, Duration.ZERO, null);
	}

	/** A run that comes too late does not take place. */
	static Outcome skip(Held held, Instant next) {
		return new Outcome(held, Settlement.skip(held.id(), held.token(), false, null, next), null, Duration.ZERO,
				null);
	}

}
