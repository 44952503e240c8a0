package io.github.delayqueue.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.listener.ContainerStatus;

/**
 * A queue as the endpoint shows it. Public because the endpoint returns it.
 *
 * @param scheduled tasks waiting, the due ones included
 * @param due the part of {@code scheduled} whose time has come
 * @param inFlight tasks that a consumer holds
 * @param leasesLost the part of {@code inFlight} whose lease has run out
 * @param retrying the part of {@code scheduled} that has been delivered before
 * @param dead tasks given up
 * @param completed tasks handled and still kept
 * @param stored the part of {@code scheduled} that waits in the journal's table only, and
 * comes to Redis later; zero without a journal
 * @param oldestDueAge for how long the oldest due task has been due
 * @param nextDueAt when the next task becomes due, {@code null} if none is waiting
 * @param paused whether the queue is paused
 * @param totals what has happened since the queue exists
 * @param partitions how many partitions the queue has
 * @param journal whether the tasks of the queue are kept in the application's database
 * @param delays the tasks that are waiting and not yet due, by how long they have to wait
 * @param consumers how many instances consume the queue, {@code null} if that cannot be
 * told
 * @param listeners the containers of this instance
 */
public record QueueDescriptor(long scheduled, long due, long inFlight, long leasesLost, long retrying, long dead,
		long completed, long stored, Duration oldestDueAge, @Nullable Instant nextDueAt, boolean paused,
		QueueStats.Totals totals, int partitions, boolean journal, List<QueueStats.Delays> delays,
		@Nullable Integer consumers, List<Listener> listeners) implements QueueEntry {

	static QueueDescriptor of(QueueStats stats, boolean journal, @Nullable Integer consumers,
			List<ContainerStatus> containers) {
		return new QueueDescriptor(stats.scheduled(), stats.due(), stats.inFlight(), stats.leasesLost(),
				stats.retrying(), stats.dead(), stats.completed(), stats.stored(), stats.oldestDueAge(),
				stats.nextDueAt(), stats.paused(), stats.totals(), stats.partitions(), journal, stats.delays(),
				consumers, containers.stream().map(Listener::of).toList());
	}

	/**
	 * A container of this instance.
	 *
	 * @param id its id
	 * @param running whether it claims
	 * @param concurrency how many tasks (batches) it handles at a time
	 * @param active how many tasks are in handlers now
	 * @param lastPollAt when a claim last succeeded, {@code null} if none has
	 */
	public record Listener(String id, boolean running, int concurrency, int active, @Nullable Instant lastPollAt) {

		static Listener of(ContainerStatus status) {
			return new Listener(status.id(), status.running(), status.concurrency(), status.active(),
					status.lastPollAt());
		}

	}

}
