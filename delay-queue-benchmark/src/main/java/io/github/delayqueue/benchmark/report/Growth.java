package io.github.delayqueue.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.measure.Result;

/**
 * How the delay queue behaves with more of everything: tasks, processes, queues, tasks in
 * the table of a journal.
 */
final class Growth {

	private static final List<Integer> PROCESSES = List.of(1, 2, 4);

	private static final List<Integer> QUEUES = List.of(1, 1000);

	/** The calls, in the order to show. */
	private static final List<String> CALLS = List.of("enqueue", "claim", "cancel", "stats");

	private final Run run;

	private final List<Integer> sizes;

	Growth(Run run) {
		this.run = run;
		this.sizes = run.result("size", Targets.OURS)
			.stream()
			.flatMap((result) -> result.samples().stream())
			.flatMap((sample) -> sample.values().keySet().stream())
			.filter((name) -> name.startsWith("enqueue-"))
			.map((name) -> Integer.valueOf(name.substring("enqueue-".length())))
			.sorted()
			.toList();
	}

	/**
	 * Several processes on one queue.
	 * @return a table in Markdown
	 */
	String processes() {
		List<String> lines = head("processes", "drain of 50,000, tasks/s", "claims per task", "of these empty");
		PROCESSES.stream()
			.map((count) -> row(String.valueOf(count), "processes-" + count, Unit.RATE, "rate", Unit.COMMANDS, "claims",
					Unit.COMMANDS, "empty"))
			.forEach(lines::addAll);
		return String.join("\n", lines);
	}

	/**
	 * An application of many queues.
	 * @return a table in Markdown
	 */
	String queues() {
		List<String> lines = head("queues", "threads", "subscription connections", "CPU of the client, % of a core",
				"of Redis", "commands/s", "a task in each handled after, ms");
		QUEUES.stream()
			.map((count) -> row(String.format(Locale.ROOT, "%,d", count), "queues-" + count, Unit.TASKS, "threads",
					Unit.TASKS, "subscriptions", Unit.PERCENT, "clientCpu", Unit.PERCENT, "serverCpu", Unit.TASKS,
					"commands", Unit.TASKS, "workMillis"))
			.forEach(lines::addAll);
		return String.join("\n", lines);
	}

	/**
	 * Tasks that wait in the table of a journal only.
	 * @return a table in Markdown
	 */
	String stored() {
		List<String> lines = head("a month away", "of these in Redis", "Redis bytes a task", "`stats`, ms",
				"`find`, ms", "coming within the horizon at once, tasks/s", "lateness then, p50 ms", "p99 ms");
		for (String measure : List.of("journal-stored", "journal-stored-large")) {
			this.run.median(measure, Targets.JOURNAL, "tasks")
				.ifPresent((tasks) -> lines.add("| " + Unit.TASKS.format(tasks) + " | "
						+ cells(measure, Targets.JOURNAL, Unit.TASKS, "inRedis", Unit.MILLIS, "bytes", Unit.PERCENT,
								"stats", Unit.PERCENT, "find", Unit.RATE, "load", Unit.MILLIS, "p50", Unit.MILLIS,
								"p99")));
		}
		return String.join("\n", lines);
	}

	private static List<String> head(String... columns) {
		return new ArrayList<>(
				List.of("| " + String.join(" | ", columns) + " |", "|" + "---:|".repeat(columns.length)));
	}

	private List<String> row(String label, String measure, Object... unitsAndFigures) {
		boolean measured = this.run.result(measure, Targets.OURS).isPresent();
		return measured ? List.of("| " + label + " | " + cells(measure, Targets.OURS, unitsAndFigures)) : List.of();
	}

	private String cells(String measure, String system, Object... unitsAndFigures) {
		return IntStream.range(0, unitsAndFigures.length / 2).mapToObj((i) -> {
			OptionalDouble value = this.run.median(measure, system, (String) unitsAndFigures[2 * i + 1]);
			return value.isPresent() ? ((Unit) unitsAndFigures[2 * i]).format(value.getAsDouble()) : "–";
		}).collect(Collectors.joining(" | ")) + " |";
	}

	/**
	 * What calls cost on queues of several sizes.
	 * @return a table in Markdown, and what the server called slow
	 */
	String size() {
		List<String> columns = new ArrayList<>(List.of("call"));
		this.sizes.forEach((size) -> columns.add(String.format(Locale.ROOT, "%,d pending, µs", size)));
		columns.add("at worst");
		List<String> lines = head(columns.toArray(String[]::new));
		CALLS.forEach((call) -> lines.add("| " + call + " | "
				+ this.sizes.stream()
					.map((size) -> String.format(Locale.ROOT, "%.0f (mean %.0f)", micros(call, size),
							micros("mean-" + call, size)))
					.collect(Collectors.joining(" | "))
				+ String.format(Locale.ROOT, " | ×%.2f |", growth(call))));
		String slow = this.run.result("size", Targets.OURS).map(Result::note).orElse("");
		return String.join("\n", lines) + "\n\nCommands of more than 10 ms: "
				+ (Objects.requireNonNullElse(slow, "").isEmpty() ? "none" : slow)
				+ String.format(Locale.ROOT, "; of the control: %.0f.", ours("size", "slowControl"));
	}

	private double micros(String call, int size) {
		return ours("size", call + "-" + size);
	}

	/** By how much a call is dearer than on the smallest queue, at worst. */
	private double growth(String call) {
		return this.sizes.stream()
			.skip(1)
			.mapToDouble((size) -> micros(call, size) / micros(call, this.sizes.get(0)))
			.max()
			.orElse(Double.NaN);
	}

	/**
	 * What is required.
	 * @return the checks
	 */
	List<Check> checks() {
		List<Check> checks = new ArrayList<>();
		double share = ofAll("rate").min().orElse(Double.NaN) / ofAll("rate").max().orElse(Double.NaN);
		add(checks, "Drain by 1, 2 and 4 processes, worst against best", "at least 0.80", share, share >= 0.8);
		double empty = ofAll("empty").max().orElse(Double.NaN);
		add(checks, "Empty claims per task at 1,000 a second, 1 to 4 processes", "below 1", empty, empty < 1);
		double even = ours("share", "share");
		add(checks, "Slow work, part of the less busy of two processes", "at least 45 %", even, even >= 45);
		double threads = ours("queues-1000", "threads") - ours("queues-1", "threads");
		add(checks, "Threads more with 1,000 queues than with one", "at most 10", threads, threads <= 10);
		double subscriptions = ours("queues-1000", "subscriptions");
		add(checks, "Subscription connections with 1,000 queues", "1", subscriptions, subscriptions == 1);
		double growth = CALLS.stream()
			.mapToDouble(this::growth)
			.filter((value) -> !Double.isNaN(value))
			.max()
			.orElse(Double.NaN);
		add(checks, "Cost of a call, many pending against 10,000, at worst", "at most 1.5", growth, growth <= 1.5);
		double slow = ours("size", "slow");
		double control = ours("size", "slowControl");
		add(checks, "Commands of more than 10 ms, against the control's",
				"at most " + (Double.isNaN(control) ? "as many" : String.format(Locale.ROOT, "%.0f", control)), slow,
				slow <= control);
		return checks;
	}

	private static void add(List<Check> checks, String name, String required, double value, boolean passed) {
		String measured = Double.isNaN(value) ? null
				: String.format(Locale.ROOT, (value == Math.rint(value)) ? "%.0f" : "%.2f", value);
		checks.add(new Check(name, required, measured, passed, false));
	}

	private DoubleStream ofAll(String figure) {
		return PROCESSES.stream()
			.flatMapToDouble((count) -> this.run.median("processes-" + count, Targets.OURS, figure).stream());
	}

	private double ours(String measure, String name) {
		return this.run.median(measure, Targets.OURS, name).orElse(Double.NaN);
	}

}
