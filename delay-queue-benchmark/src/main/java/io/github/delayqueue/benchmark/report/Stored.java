package io.github.delayqueue.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

import io.github.delayqueue.benchmark.report.Row.Unit;

/**
 * The figures of tasks that wait in the table of a journal only.
 */
final class Stored {

	/** Key of the measure. */
	static final String MEASURE = "journal-stored";

	/** Key of the measure with five million tasks. */
	static final String LARGE_MEASURE = "journal-stored-large";

	private final Run run;

	private final String measure;

	Stored(Run run, String measure) {
		this.run = run;
		this.measure = measure;
	}

	/**
	 * All of them, also those beside five million tasks if they were measured.
	 * @param run what was measured
	 * @return tables in Markdown
	 */
	static String tables(Run run) {
		String usual = new Stored(run, MEASURE).table();
		return isLarge(run) ? usual + "\n\nAnd with `-Dlarge=true`:\n\n" + new Stored(run, LARGE_MEASURE).table()
				: usual;
	}

	/**
	 * Whether the larger sizes were measured as well.
	 * @param run what was measured
	 * @return whether they were
	 */
	static boolean isLarge(Run run) {
		return run.result(LARGE_MEASURE, Targets.JOURNAL).isPresent();
	}

	/**
	 * All of them.
	 * @return a table in Markdown
	 */
	String table() {
		List<String> lines = new ArrayList<>(List.of("| | |", "|---|---:|"));
		add(lines, "tasks a month away", "%,.0f", figure("tasks"));
		add(lines, "scheduled by bulk calls, tasks/s", "%s", figure("fill"));
		add(lines, "of these in Redis", "%.0f", figure("inRedis"));
		add(lines, "Redis bytes per task", "%.2f", figure("bytes"));
		add(lines, "`stats`, median, ms", "%.2f", figure("stats"));
		add(lines, "`stats`, longest, ms", "%.1f", figure("statsMax"));
		add(lines, "`find`, median, ms", "%.2f", figure("find"));
		add(lines, "`find`, longest, ms", "%.1f", figure("findMax"));
		add(lines, "tasks that come within the horizon together, given to Redis, tasks/s", "%s", figure("load"));
		add(lines, "lateness of tasks that waited in the table, p50, ms", "%.1f", figure("p50"));
		add(lines, "lateness of tasks that waited in the table, p99, ms", "%.1f", figure("p99"));
		return String.join("\n", lines);
	}

	private OptionalDouble figure(String name) {
		return this.run.median(this.measure, Targets.JOURNAL, name);
	}

	private static void add(List<String> lines, String label, String format, OptionalDouble figure) {
		figure.ifPresent((value) -> lines.add("| " + label + " | "
				+ (format.equals("%s") ? Unit.RATE.format(value) : String.format(Locale.ROOT, format, value)) + " |"));
	}

}
