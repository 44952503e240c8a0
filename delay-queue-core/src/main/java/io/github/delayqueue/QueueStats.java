package io.github.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Figures of one queue at one instant, the same whichever instance is asked.
 *
 * @param waiting tasks that wait, the due ones included
 * @param due the part of {@code waiting} whose time has come
 * @param inFlight tasks that a consumer holds
 * @param leasesLost the part of {@code inFlight} whose lease has run out
 * @param retrying the part of {@code waiting} that has been delivered before
 * @param dead tasks given up
 * @param completed tasks handled and still kept
 * @param inDatabaseOnly the part of {@code waiting} that waits in the journal's table
 * only, and comes to Redis later; zero without a journal. {@link #MOST_IN_DATABASE_ONLY}
 * means that many or more: those that come first are counted, and {@code waiting},
 * {@code delays} and {@code totals.scheduled} are lower bounds as well
 * @param oldestDueAge for how long the oldest due task has been due, zero if none is
 * @param nextDueAt when the next task becomes due, {@code null} if none is waiting
 * @param paused whether the queue is paused
 * @param totals what has happened since the queue exists
 * @param partitions how many partitions the queue has. If there are several, the figures
 * are sums over them, each read at an instant of its own. The queue is paused if all of
 * them are
 * @param delays the tasks that are waiting and not yet due, by how long they have to
 * wait: one entry for each of {@link #DELAY_BOUNDS} and one for those that wait longer.
 * Their sum is {@code waiting} less {@code due}
 * @param diedLastHour the part of {@code dead} that has died within the last hour
 * @param leasesLostFor how long ago the first of those leases ran out, zero if none has
 */
public record QueueStats(long waiting, long due, long inFlight, long leasesLost, long retrying, long dead,
		long completed, long inDatabaseOnly, Duration oldestDueAge, @Nullable Instant nextDueAt, boolean paused,
		Totals totals, int partitions, List<Delays> delays, long diedLastHour, Duration leasesLostFor) {

	/** So many tasks that are in the journal's table only are counted: {@value}. */
	public static final long MOST_IN_DATABASE_ONLY = 10_000;

	/** Upper bounds of {@link #delays()}, in ascending order. */
	public static final List<Duration> DELAY_BOUNDS = List.of(Duration.ofSeconds(1), Duration.ofMinutes(1),
			Duration.ofMinutes(5), Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7));

	public QueueStats {
		delays = List.copyOf(delays);
	}

	/**
	 * Figures of a queue without a journal and with a single partition. All its waiting
	 * tasks are due, and nothing has died within the last hour.
	 */
	public QueueStats(long waiting, long due, long inFlight, long leasesLost, long retrying, long dead, long completed,
			Duration oldestDueAge, @Nullable Instant nextDueAt, boolean paused, Totals totals) {
		this(waiting, due, inFlight, leasesLost, retrying, dead, completed, 0, oldestDueAge, nextDueAt, paused, totals,
				1, Delays.of(new long[DELAY_BOUNDS.size() + 1]), 0, Duration.ZERO);
	}

	/**
	 * Counters of a queue since it exists. {@code scheduled} always equals the tasks that
	 * are scheduled, in flight and dead now plus {@code completed}, {@code cancelled},
	 * {@code replaced}, {@code cleared} and {@code deleted}.
	 *
	 * @param scheduled tasks accepted, replacements included
	 * @param completed tasks handled
	 * @param retried deliveries that ended with a retry
	 * @param deadLettered tasks that became dead
	 * @param cancelled tasks cancelled
	 * @param replaced unfinished tasks and dead letters replaced by a new one of the same
	 * id
	 * @param cleared unfinished tasks and dead letters removed by clear
	 * @param deleted dead letters deleted, by hand or by a bound
	 * @param redriven dead letters scheduled again
	 * @param leasesLost leases that ran out and were claimed again
	 * @param stale settlements that came too late: answers of handlers whose task was no
	 * longer theirs
	 */
	public record Totals(long scheduled, long completed, long retried, long deadLettered, long cancelled, long replaced,
			long cleared, long deleted, long redriven, long leasesLost, long stale) {

	}

	/**
	 * How many tasks have to wait for how long.
	 *
	 * @param below they become due before this time from now is over, and not within the
	 * bound before it; {@code null} for those that come after all bounds
	 * @param tasks how many
	 */
	public record Delays(@Nullable Duration below, long tasks) {

		/**
		 * Put numbers of tasks beside their bounds: one for each of
		 * {@link QueueStats#DELAY_BOUNDS}, and one for what comes after them.
		 */
		public static List<Delays> of(long[] tasks) {
			return IntStream.range(0, tasks.length)
				.mapToObj((i) -> new Delays((i < DELAY_BOUNDS.size()) ? DELAY_BOUNDS.get(i) : null, tasks[i]))
				.toList();
		}

	}

}
