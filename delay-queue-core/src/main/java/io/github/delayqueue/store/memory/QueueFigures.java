package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Forecast;

/** Counts the tasks of a queue. */
record QueueFigures(TaskTable table, StepTime now) {

	private static final long HOUR = Duration.ofHours(1).toMillis();

	QueueStats read(QueueStats.Totals totals, boolean paused, int sources) {
		long nextDueAt = this.table.earliest(TaskState.SCHEDULED, this.now.millis() + 1);
		return new QueueStats(this.table.size(TaskState.SCHEDULED), reached(TaskState.SCHEDULED).count(),
				this.table.size(TaskState.IN_FLIGHT), reached(TaskState.IN_FLIGHT).count(),
				this.table.in(TaskState.SCHEDULED).filter((entry) -> entry.deliveries() != DeliveryState.NONE).count(),
				this.table.size(TaskState.DEAD), this.table.size(TaskState.COMPLETED), 0,
				sinceFirst(TaskState.SCHEDULED),
				(nextDueAt != TaskTable.NEVER) ? Instant.ofEpochMilli(nextDueAt) : null, paused, totals, sources,
				delays(),
				this.table.in(TaskState.DEAD).filter((entry) -> entry.score() > this.now.millis() - HOUR).count(),
				sinceFirst(TaskState.IN_FLIGHT));
	}

	private Duration sinceFirst(TaskState state) {
		long earliest = this.table.earliest(state, 0);
		return (earliest <= this.now.millis()) ? this.now.since(earliest) : Duration.ZERO;
	}

	private List<QueueStats.Delays> delays() {
		long[] tasks = new long[QueueStats.DELAY_BOUNDS.size() + 1];
		this.table.in(TaskState.SCHEDULED)
			.map((entry) -> Duration.ofMillis(entry.score() - this.now.millis()))
			.filter((delay) -> delay.compareTo(Duration.ZERO) > 0)
			.mapToInt((delay) -> (int) QueueStats.DELAY_BOUNDS.stream()
				.filter((bound) -> bound.compareTo(delay) <= 0)
				.count())
			.forEach((passed) -> tasks[passed]++);
		return QueueStats.Delays.of(tasks);
	}

	Forecast forecast(Forecast.Bars bars) {
		long[] tasks = new long[bars.count() + 1];
		this.table.in(TaskState.SCHEDULED)
			.filter((entry) -> entry.score() > this.now.millis())
			.forEach((entry) -> tasks[bars.of(entry.score())]++);
		return new Forecast(reached(TaskState.SCHEDULED).count(),
				LongStream.of(tasks).limit(bars.count()).boxed().toList(), true);
	}

	private Stream<TaskEntry> reached(TaskState state) {
		return this.table.reached(state, this.now.millis(), Long.MAX_VALUE);
	}

}
