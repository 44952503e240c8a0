package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Figures that belong together, a line for each system.
 *
 * @param key its name in the template of the document
 * @param columns the figures
 */
record Table(String key, List<Column> columns) {

	/** All that is compared, in this order. */
	static final List<Table> ALL = List.of(
			new Table("open",
					List.of(new Column("highest rate in time", "open-highest", "rate", Unit.RATE),
							late("late at ", 50, "p"), late("", 1000, "p"), late("", 5000, "p"), late("", 20_000, "p"),
							late("", 50_000, "p"), late("calls at ", 1000, "call"), late("", 20_000, "call"))),
			new Table("drain", List.of(rate("at once, cold", "drain-cold"), rate("at once, warm", "drain"),
					rate("within 100 ms", "drain-100ms"), rate("within a second", "drain-1s"),
					rate("at once, 1,000,000 others pending", "drain-others"), rate("enqueue, 1 thread", "enqueue-1"),
					rate("16 threads", "enqueue-16"), rate("bulk", "enqueue-bulk"))),
			new Table("cost",
					List.of(cpu("client CPU at 50/s", 50, "client"), cpu("at 1,000/s", 1000, "client"),
							cpu("at 20,000/s", 20_000, "client"), cpu("server CPU at 50/s", 50, "server"),
							cpu("at 1,000/s", 1000, "server"), cpu("at 20,000/s", 20_000, "server"), commands(50),
							commands(1000), commands(20_000), new Column("pending", "memory", "bytes", Unit.BYTES))),
			new Table("kill",
					List.of(new Column("killed: lost", "kill", "lost", Unit.TASKS),
							new Column("begun", "kill", "held", Unit.TASKS),
							new Column("of these begun again", "kill", "again", Unit.TASKS),
							new Column("after", "kill", "againSeconds", Unit.SECONDS),
							new Column("idle, of clients a second", "idle", "commands", Unit.COMMANDS),
							new Column("in scripts", "idle", "inner", Unit.COMMANDS),
							new Column("client and Redis", "idle", "cpu", Unit.PERCENT))));

	private static Column late(String label, int rate, String prefix) {
		return new Column(label + String.format(Locale.ROOT, "%,d/s", rate), "open-" + rate,
				List.of(prefix + "50", prefix + "99", prefix + "999"), Unit.MILLIS);
	}

	private static Column rate(String label, String measure) {
		return new Column(label, measure, "rate", Unit.RATE);
	}

	private static Column cpu(String label, int rate, String side) {
		return new Column(label, "open-" + rate, side + "Cpu", Unit.MICROS);
	}

	private static Column commands(int rate) {
		return new Column(String.format(Locale.ROOT, "at %,d/s", rate), "open-" + rate, "commands", Unit.COMMANDS);
	}

	/**
	 * What was measured of it.
	 * @param run the run
	 * @return a table in Markdown, empty if nothing was
	 */
	String markdown(Run run) {
		List<Column> shown = this.columns.stream().filter((column) -> column.isMeasured(run)).toList();
		if (shown.isEmpty()) {
			return "";
		}
		String head = "| | " + shown.stream().map(Column::head).collect(Collectors.joining(" | ")) + " |\n|---|"
				+ "---:|".repeat(shown.size());
		return run.systems().stream().map((system) -> {
			List<String> cells = shown.stream().map((column) -> column.text(run, system.key())).toList();
			boolean any = cells.stream().anyMatch((cell) -> !cell.equals("–"));
			String title = Targets.ALL_OURS.contains(system.key()) ? "**" + system.title() + "**" : system.title();
			return any ? "\n| " + title + " | " + String.join(" | ", cells) + " |" : "";
		}).collect(Collectors.joining("", head, ""));
	}

}
