package io.github.delayqueue;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Figures of one queue at one instant, the same whichever instance is asked.
 *
 * @param scheduled tasks waiting, the due ones included
 * @param due the part of {@code scheduled} whose time has come
 * @param inFlight tasks that a consumer holds
 * @param expired the part of {@code inFlight} whose lease has run out
 * @param retrying the part of {@code scheduled} that has been delivered before
 * @param dead tasks given up
 * @param completed tasks handled and still kept
 * @param oldestDueAge for how long the oldest due task has been due, zero if none is
 * @param nextDueAt when the next task becomes due, {@code null} if none is waiting
 * @param paused whether the queue is paused
 * @param totals what has happened since the queue exists
 * @param partitions how many partitions the queue has. Where there are several, the
 * figures are sums over them, each read at an instant of its own, and the queue is paused
 * if all of them are
 */
public record QueueStats(long scheduled, long due, long inFlight, long expired, long retrying, long dead,
		long completed, Duration oldestDueAge, @Nullable Instant nextDueAt, boolean paused, Totals totals,
		int partitions) {

	/**
	 * Figures of a queue with a single partition.
	 * @param scheduled tasks waiting, the due ones included
	 * @param due the part of {@code scheduled} whose time has come
	 * @param inFlight tasks that a consumer holds
	 * @param expired the part of {@code inFlight} whose lease has run out
	 * @param retrying the part of {@code scheduled} that has been delivered before
	 * @param dead tasks given up
	 * @param completed tasks handled and still kept
	 * @param oldestDueAge for how long the oldest due task has been due, zero if none is
	 * @param nextDueAt when the next task becomes due, {@code null} if none is waiting
	 * @param paused whether the queue is paused
	 * @param totals what has happened since the queue exists
	 */
	public QueueStats(long scheduled, long due, long inFlight, long expired, long retrying, long dead, long completed,
			Duration oldestDueAge, @Nullable Instant nextDueAt, boolean paused, Totals totals) {
		this(scheduled, due, inFlight, expired, retrying, dead, completed, oldestDueAge, nextDueAt, paused, totals, 1);
	}

	/**
	 * Counters of a queue since it exists. {@code scheduled} always equals the tasks that
	 * are scheduled, in flight and dead now plus {@code completed}, {@code cancelled},
	 * {@code replaced}, {@code cleared} and {@code purged}.
	 *
	 * @param scheduled tasks accepted, replacements included
	 * @param completed tasks handled
	 * @param retried deliveries that ended with a retry
	 * @param buried tasks that became dead
	 * @param cancelled tasks cancelled
	 * @param replaced unfinished or dead tasks replaced by a new one of the same id
	 * @param cleared unfinished or dead tasks removed by clear
	 * @param purged dead tasks removed, by hand or by a bound
	 * @param redriven dead tasks scheduled again
	 * @param expired leases that ran out and were claimed again
	 * @param stale settlements and extensions that came too late
	 */
	public record Totals(long scheduled, long completed, long retried, long buried, long cancelled, long replaced,
			long cleared, long purged, long redriven, long expired, long stale) {

	}

}
