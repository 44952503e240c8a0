package io.github.delayqueue.benchmark.report;

import java.util.List;

import io.github.delayqueue.benchmark.report.Row.Unit;

/**
 * Figures that belong together: a table and a plot.
 *
 * @param key name of the plot's file
 * @param title heading
 * @param rows the figures
 * @param plotted which of them are plotted, by their place
 * @param logarithmic whether the bars' lengths are logarithms
 */
record Section(String key, String title, List<Row> rows, List<Integer> plotted, boolean logarithmic) {

	private static final String LOOP = "loop";

	private static final String BARE = "bare";

	private static final String DB_SCHEDULER = "db-scheduler";

	/** All that is shown, in this order. */
	static final List<Section> ALL = List.of(
			new Section("drain", "Draining what is due at once",
					List.of(new Row("50,000 due at once", "drain", "rate", Unit.RATE, LOOP),
							new Row("1,000,000 due at once", "drain-1m", "rate", Unit.RATE, LOOP),
							new Row("50,000, with 10,000 others pending", "drain-10k", "rate", Unit.RATE, LOOP),
							new Row("50,000, with 1,000,000 others pending", "drain-others", "rate", Unit.RATE, LOOP)),
					List.of(0, 3), true),
			new Section("enqueue", "Enqueueing",
					List.of(new Row("1 thread", "enqueue-1", "rate", Unit.RATE, BARE),
							new Row("16 threads", "enqueue-16", "rate", Unit.RATE, BARE),
							new Row("bulk", "enqueue-bulk", "rate", Unit.RATE, BARE),
							new Row("async", "enqueue-async", "rate", Unit.RATE, BARE)),
					List.of(0, 1, 2, 3), true),
			new Section("journal", "With a journal in PostgreSQL",
					List.of(new Row("schedule, 1 thread", "journal-1", "rate", Unit.RATE, DB_SCHEDULER),
							new Row("schedule, 16 threads", "journal-16", "rate", Unit.RATE, DB_SCHEDULER),
							new Row("schedule, bulk", "journal-bulk", "rate", Unit.RATE, DB_SCHEDULER),
							new Row("50,000 due at once", "journal-drain", "rate", Unit.RATE, DB_SCHEDULER)),
					List.of(0, 1, 2, 3), true),
			new Section("lateness", "Lateness",
					List.of(new Row("50 a second, p50", "late", "p50", Unit.MILLIS, null),
							new Row("50 a second, p99", "late", "p99", Unit.MILLIS, null),
							new Row("50 a second, max", "late", "max", Unit.MILLIS, null),
							new Row("100,000 others pending, p50", "late-others", "p50", Unit.MILLIS, null),
							new Row("100,000 others pending, p99", "late-others", "p99", Unit.MILLIS, null),
							new Row("100,000 others pending, max", "late-others", "max", Unit.MILLIS, null),
							new Row("half of the drain rate, p50", "late-busy", "p50", Unit.MILLIS, null),
							new Row("half of the drain rate, p99", "late-busy", "p99", Unit.MILLIS, null),
							new Row("half of the drain rate, max", "late-busy", "max", Unit.MILLIS, null)),
					List.of(1, 4, 7), true),
			new Section("memory", "Memory of Redis per pending task",
					List.of(new Row("100,000 tasks", "memory-100k", "bytes", Unit.BYTES, BARE),
							new Row("1,000,000 tasks", "memory-1m", "bytes", Unit.BYTES, BARE)),
					List.of(0, 1), false),
			new Section("idle", "A consumer with nothing to do", List.of(
					new Row("client commands", "idle", "commands", Unit.COMMANDS, null),
					new Row("commands inside scripts", "idle", "inner", Unit.COMMANDS, null),
					new Row("CPU, client and Redis", "idle", "cpu", Unit.PERCENT, null),
					new Row("client commands, 1,000 tasks pending", "idle-others", "commands", Unit.COMMANDS, null),
					new Row("commands inside scripts, 1,000 tasks pending", "idle-others", "inner", Unit.COMMANDS,
							null),
					new Row("CPU, client and Redis, 1,000 tasks pending", "idle-others", "cpu", Unit.PERCENT, null)),
					List.of(0, 2), true),
			new Section("kill", "Killing the consumer",
					List.of(new Row("1,000 tasks of 200 ms: lost", "kill-slow", "lost", Unit.TASKS, null),
							new Row("1,000 tasks: started again", "kill-slow", "again", Unit.TASKS, null),
							new Row("1,000 tasks: done after", "kill-slow", "seconds", Unit.SECONDS, null),
							new Row("50,000 no-op tasks: lost", "kill-drain", "lost", Unit.TASKS, null),
							new Row("50,000: started again", "kill-drain", "again", Unit.TASKS, null),
							new Row("50,000: done after", "kill-drain", "seconds", Unit.SECONDS, null)),
					List.of(0, 3), true));

}
