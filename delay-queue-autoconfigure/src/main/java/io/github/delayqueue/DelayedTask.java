package io.github.delayqueue;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A task as its handler sees it. Immutable, except as far as the payload is not.
 * <p>
 * Delivery is at least once: {@link #id()} together with the application's own state is
 * what makes a handler idempotent.
 *
 * @param queue the queue it was scheduled in
 * @param id its id, unique in the queue
 * @param payload its payload as the type the handler declares; {@code null} only where
 * JSON {@code null} was scheduled
 * @param headers its headers, possibly empty, not modifiable
 * @param priority its priority
 * @param dueAt when this delivery was due, by the clock of the store
 * @param failures how often its handler has failed before
 * @param expiries how often its lease has been lost before
 * @param <T> type of the payload
 */
public record DelayedTask<T>(String queue, String id, @Nullable T payload, Map<String, String> headers,
		TaskPriority priority, Instant dueAt, int failures, int expiries) {

	public DelayedTask {
		headers = Map.copyOf(headers);
	}

	/**
	 * Number of this attempt, starting at 1. Deliveries that were cut short because a
	 * lease was lost do not count, they are {@link #expiries()}.
	 * @return failures + 1
	 */
	public int attempt() {
		return this.failures + 1;
	}

	/**
	 * Whether the task may have been handled before, wholly or in part.
	 * @return whether it failed or lost a lease before
	 */
	public boolean isRedelivery() {
		return this.failures > 0 || this.expiries > 0;
	}

}
