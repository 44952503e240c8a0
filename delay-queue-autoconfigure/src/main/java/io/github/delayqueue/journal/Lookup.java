package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.VersionedTaskStore;

/**
 * Looks at queues with a journal: what the store has, and what only the table has.
 * Thread-safe.
 */
final class Lookup {

	private final VersionedTaskStore store;

	private final JournalTable table;

	private final Transactions transactions;

	private final HandOver handOver;

	private final Clock clock;

	private final StoredCounts counts;

	Lookup(VersionedTaskStore store, JournalTable table, Transactions transactions, HandOver handOver, Clock clock) {
		this.store = store;
		this.table = table;
		this.transactions = transactions;
		this.handOver = handOver;
		this.clock = clock;
		this.counts = new StoredCounts(table);
	}

	Optional<StoredTask> find(String queue, String taskId) {
		Optional<Row> row = this.transactions.read(queue, () -> this.table.find(queue, taskId));
		Optional<StoredTask> known = this.store.find(queue, taskId);
		if (row.isEmpty()) {
			// completed and kept, or from before the queue had a journal; others are to
			// be dropped
			return known.filter((task) -> task.state() == TaskState.COMPLETED || generation(task) < 0)
				.map(Lookup::unmarked);
		}
		return Optional.of(known.filter((task) -> generation(task) == row.get().generation())
			.map(Lookup::unmarked)
			.orElseGet(() -> task(row.get())));
	}

	private static long generation(StoredTask task) {
		return (task.envelope() != null) ? Generation.of(task.envelope()).orElse(-1) : -1;
	}

	private static StoredTask unmarked(StoredTask task) {
		byte[] envelope = task.envelope();
		return (envelope == null) ? task : new StoredTask(task.id(), task.state(), task.at(), task.dueAt(),
				task.priority(), task.failures(), task.expiries(), Generation.unmark(envelope), task.failure());
	}

	private static StoredTask task(Row row) {
		Instant due = Instant.ofEpochMilli(row.dueMillis());
		TaskState state = row.dead() ? TaskState.DEAD : TaskState.SCHEDULED;
		return new StoredTask(row.taskId(), state, due, due, row.priority(), 0, 0, row.envelope(), row.failure());
	}

	List<StoredTask> list(String queue, TaskState state, int offset, int limit, boolean envelopes) {
		return list(queue, state, offset, limit, this.store.list(queue, state, offset, limit, envelopes),
				envelopes ? Integer.MAX_VALUE : 0);
	}

	List<StoredTask> glance(String queue, TaskState state, int offset, int limit) {
		return list(queue, state, offset, limit, this.store.glance(queue, state, offset, limit),
				TaskStore.SMALL_ENVELOPE);
	}

	private List<StoredTask> list(String queue, TaskState state, int offset, int limit, List<StoredTask> known,
			int mostBytes) {
		Bounds.requireLimit(limit);
		List<StoredTask> tasks = new ArrayList<>(limit);
		for (StoredTask task : known) {
			tasks.add(unmarked(task));
		}
		if (state == TaskState.SCHEDULED && tasks.size() < limit) {
			long before = tasks.isEmpty() ? offset - this.store.stats(queue).scheduled() : 0;
			int skip = (int) Math.max(0, before);
			int left = limit - tasks.size();
			this.transactions
				.read(queue, () -> this.table.stored(queue, this.handOver.untilMillis(), skip, left, mostBytes))
				.forEach((row) -> tasks.add(task(row)));
		}
		return tasks;
	}

	QueueStats stats(String queue) {
		QueueStats stats = this.store.stats(queue);
		long now = this.clock.millis();
		long until = this.handOver.untilMillis();
		long[] numbers = this.transactions.read(queue, () -> this.counts.get(queue, now, until));
		long stored = 0;
		List<Delays> known = stats.delays();
		for (int i = 0; i < numbers.length; i++) {
			stored += numbers[i];
			numbers[i] += known.get(i).tasks();
		}
		if (stored == 0) {
			return stats;
		}
		Instant next = stats.nextDueAt();
		if (next == null) {
			next = this.transactions.read(queue, () -> this.table.firstStored(queue, until))
				.map(Instant::ofEpochMilli)
				.orElse(null);
		}
		return new QueueStats(stats.scheduled() + stored, stats.due(), stats.inFlight(), stats.expired(),
				stats.retrying(), stats.dead(), stats.completed(), stored, stats.oldestDueAge(), next, stats.paused(),
				scheduled(stats.totals(), stored), stats.partitions(), Delays.of(numbers));
	}

	/** So that what has been scheduled is what is there and what has gone. */
	private static Totals scheduled(Totals totals, long stored) {
		return new Totals(totals.scheduled() + stored, totals.completed(), totals.retried(), totals.buried(),
				totals.cancelled(), totals.replaced(), totals.cleared(), totals.purged(), totals.redriven(),
				totals.expired(), totals.stale());
	}

	/**
	 * Count what takes longer, so that nobody has to wait for it.
	 * @param queue the queue
	 */
	void refresh(String queue) {
		if (this.counts.isOld(queue)) {
			// a transaction, so that the database does not take all of its processors
			this.transactions.apart(queue,
					() -> this.counts.count(queue, this.clock.millis(), this.handOver.untilMillis()));
		}
	}

}
