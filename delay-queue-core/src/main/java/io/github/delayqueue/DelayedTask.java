package io.github.delayqueue;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A task as its handler sees it. Immutable if the payload is.
 * <p>
 * Delivery is at least once. To make a handler idempotent, use {@link #id()} together
 * with the application's own state; for a recurring task, {@link #id()} and
 * {@link #runAt()}.
 *
 * @param queue the queue it was scheduled in
 * @param id its id, unique in the queue
 * @param payload its payload as the type the handler declares; {@code null} only if JSON
 * {@code null} was scheduled
 * @param headers its headers, possibly empty, not modifiable
 * @param priority its priority
 * @param dueAt when this delivery was due, by the clock of the store; a retry is due
 * later than the attempt before
 * @param failures how often its handler has failed before
 * @param leasesLost how often its lease has been lost before
 * @param runAt of a recurring task, the time of this run, which is the same in all
 * attempts at it: when the first of them was due. Of a task that is run once,
 * {@link #dueAt()}
 * @param <T> type of the payload
 */
public record DelayedTask<T>(String queue, String id, @Nullable T payload, Map<String, String> headers,
		TaskPriority priority, Instant dueAt, int failures, int leasesLost, Instant runAt) {

	public DelayedTask {
		headers = Map.copyOf(headers);
	}

	/** A task that is run once, or attempted for the first time. */
	public DelayedTask(String queue, String id, @Nullable T payload, Map<String, String> headers, TaskPriority priority,
			Instant dueAt, int failures, int leasesLost) {
		this(queue, id, payload, headers, priority, dueAt, failures, leasesLost, dueAt);
	}

	/**
	 * Number of this attempt, starting at 1: failures + 1. Deliveries that were cut short
	 * because a lease was lost do not count, they are {@link #leasesLost()}.
	 */
	public int attempt() {
		return this.failures + 1;
	}

	/**
	 * Whether the task may have been handled before, wholly or in part: whether it failed
	 * or lost a lease.
	 */
	public boolean isRedelivery() {
		return this.failures > 0 || this.leasesLost > 0;
	}

}
