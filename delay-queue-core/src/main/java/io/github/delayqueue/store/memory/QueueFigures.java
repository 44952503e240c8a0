package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Forecast;

/** Counts the tasks of a queue. */
record QueueFigures(TaskTable table, StepTime now) {

	private static final long HOUR = Duration.ofHours(1).toMillis();

	QueueStats read(QueueStats.Totals totals, boolean paused, int partitions) {
		Instant nextDueAt = this.table.in(TaskState.SCHEDULED)
			.filter((entry) -> entry.score() > this.now.millis())
			.findFirst()
			.map((entry) -> Instant.ofEpochMilli(entry.score()))
			.orElse(null);
		return new QueueStats(this.table.size(TaskState.SCHEDULED), reached(TaskState.SCHEDULED).count(),
				this.table.size(TaskState.IN_FLIGHT), reached(TaskState.IN_FLIGHT).count(),
				this.table.in(TaskState.SCHEDULED).filter((entry) -> entry.deliveries() != null).count(),
				this.table.size(TaskState.DEAD), this.table.size(TaskState.COMPLETED), 0,
				sinceFirst(TaskState.SCHEDULED), nextDueAt, paused, totals, partitions, delays(),
				this.table.in(TaskState.DEAD).filter((entry) -> entry.score() > this.now.millis() - HOUR).count(),
				sinceFirst(TaskState.IN_FLIGHT));
	}

	private Duration sinceFirst(TaskState state) {
		long earliest = this.table.earliest(state);
		return (earliest <= this.now.millis()) ? this.now.since(earliest) : Duration.ZERO;
	}

	private List<QueueStats.Delays> delays() {
		long[] bounds = QueueStats.DELAY_BOUNDS.stream().mapToLong(Duration::toMillis).toArray();
		long[] tasks = new long[bounds.length + 1];
		this.table.in(TaskState.SCHEDULED)
			.mapToLong((entry) -> entry.score() - this.now.millis())
			.filter((delay) -> delay > 0)
			.forEach((delay) -> {
				int bound = 0;
				while (bound < bounds.length && delay >= bounds[bound]) {
					bound++;
				}
				tasks[bound]++;
			});
		return QueueStats.Delays.of(tasks);
	}

	Forecast forecast(Forecast.Bars bars) {
		Long[] tasks = new Long[bars.count() + 1];
		Arrays.fill(tasks, 0L);
		this.table.in(TaskState.SCHEDULED)
			.filter((entry) -> entry.score() > this.now.millis())
			.forEach((entry) -> tasks[bars.of(entry.score())]++);
		return new Forecast(reached(TaskState.SCHEDULED).count(), List.of(tasks).subList(0, bars.count()), true);
	}

	private Stream<TaskEntry> reached(TaskState state) {
		return this.table.reached(state, this.now.millis(), Long.MAX_VALUE);
	}

}
