package io.github.delayqueue.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.StoredTask;

/** Looks at queues with a journal: what the store has, and what only the table has. */
final class Lookup extends JournalAccess {

	/** So many that are in the table only are counted for a forecast. */
	static final long MOST_FORECAST = 100_000;

	Lookup(JournalParts parts) {
		super(parts);
	}

	Optional<StoredTask> find(String queue, String taskId) {
		Optional<Row> row = this.transactions.read(queue, () -> this.table.find(queue, taskId));
		Optional<StoredTask> known = this.store.find(queue, taskId);
		if (row.isEmpty()) {
			// completed and kept, or from before the queue had a journal; others are to
			// be dropped
			return known.filter((task) -> task.state() == TaskState.COMPLETED || isWithoutJournal(task))
				.map(Lookup::unmarked);
		}
		return Optional.of(known.filter((task) -> Row.generation(task) == row.get().generation())
			.map(Lookup::unmarked)
			.orElseGet(() -> task(row.get())));
	}

	/** Whether it is from before the queue had a journal. */
	static boolean isWithoutJournal(StoredTask task) {
		return Row.generation(task) < 0;
	}

	private static StoredTask unmarked(StoredTask task) {
		byte[] envelope = task.envelope();
		return (envelope == null) ? task : new StoredTask(task.id(), task.state(), task.at(), task.dueAt(),
				task.priority(), task.failures(), task.leasesLost(), Generation.unmark(envelope), task.failure());
	}

	private static StoredTask task(Row row) {
		Instant due = Instant.ofEpochMilli(row.dueMillis());
		TaskState state = row.dead() ? TaskState.DEAD : TaskState.SCHEDULED;
		return new StoredTask(row.taskId(), state, due, due, row.priority(), 0, 0, row.envelope(), row.failure());
	}

	List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		Bounds.requireLimit(limit);
		List<StoredTask> tasks = QueueView.of(this.store)
			.list(queue, state, offset, limit, contents)
			.stream()
			.map(Lookup::unmarked)
			.collect(Collectors.toCollection(ArrayList::new));
		// what is in the table only is not due
		if (state == TaskState.SCHEDULED && tasks.size() < limit && !contents.dueOnly()) {
			long before = tasks.isEmpty() ? offset - QueueView.of(this.store).stats(queue).waiting() : 0;
			int skip = (int) Math.max(0, before);
			int left = limit - tasks.size();
			this.transactions.read(queue, () -> this.table.far().list(queue, skip, left, contents.maxBytes()))
				.forEach((row) -> tasks.add(task(row)));
		}
		return tasks;
	}

	QueueStats stats(String queue) {
		QueueStats stats = QueueView.of(this.store).stats(queue);
		long now = this.clock.millis();
		List<Long> bounds = QueueStats.DELAY_BOUNDS.stream().map((bound) -> now + bound.toMillis()).toList();
		long[] numbers = this.transactions.read(queue,
				() -> this.table.far().count(queue, bounds, QueueStats.MOST_IN_DATABASE_ONLY));
		long stored = LongStream.of(numbers).sum();
		if (stored == 0) {
			return stats;
		}
		Arrays.setAll(numbers, (i) -> numbers[i] + stats.delays().get(i).tasks());
		Instant next = Optional.ofNullable(stats.nextDueAt())
			.or(() -> this.transactions.read(queue, () -> this.table.far().first(queue)).map(Instant::ofEpochMilli))
			.orElse(null);
		return new QueueStats(stats.waiting() + stored, stats.due(), stats.inFlight(), stats.leasesLost(),
				stats.retrying(), stats.dead(), stats.completed(), stored, stats.oldestDueAge(), next, stats.paused(),
				scheduled(stats.totals(), stored), stats.partitions(), Delays.of(numbers), stats.diedLastHour(),
				stats.leasesLostFor());
	}

	/** So that what has been scheduled is what is there and what has gone. */
	private static Totals scheduled(Totals totals, long stored) {
		return new Totals(totals.scheduled() + stored, totals.completed(), totals.retried(), totals.deadLettered(),
				totals.cancelled(), totals.replaced(), totals.cleared(), totals.deleted(), totals.redriven(),
				totals.leasesLost(), totals.stale());
	}

	/** What is due beyond the horizon is not overdue. */
	Forecast forecast(String queue, Forecast.Bars bars) {
		Forecast known = QueueView.of(this.store).forecast(queue, bars);
		long[] stored = this.transactions.read(queue, () -> this.table.far().count(queue, bars, MOST_FORECAST));
		List<Long> numbers = LongStream.of(stored).limit(bars.count()).boxed().toList();
		return known.plus(new Forecast(0, numbers, LongStream.of(stored).sum() < MOST_FORECAST));
	}

}
