package io.github.delayqueue.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.report.LineChart.Line;
import io.github.delayqueue.benchmark.report.LineChart.Point;
import io.github.delayqueue.benchmark.report.Row.Unit;

/**
 * How the delay queue behaves with more of everything: tasks, processes, queues.
 */
final class Growth {

	private static final List<Integer> PROCESSES = List.of(1, 2, 4, 8);

	private static final List<Integer> QUEUES = List.of(1, 1000);

	private final Run run;

	private final SizeFigures sizes;

	Growth(Run run) {
		this.run = run;
		this.sizes = new SizeFigures(run);
	}

	/**
	 * Several processes on one queue.
	 * @return a table in Markdown
	 */
	String processes() {
		double best = bestRate().orElse(Double.NaN);
		List<String> lines = new ArrayList<>();
		lines.add("| processes | drain of 50,000, tasks/s | part of the best | claims per task | of these empty |");
		lines.add("|---:|---:|---:|---:|---:|");
		for (int count : PROCESSES) {
			rate(count).ifPresent((rate) -> lines.add(String.format(Locale.ROOT, "| %d | %s | %.2f | %s | %s |", count,
					Unit.RATE.format(rate), rate / best, figure("processes-" + count, "claims", "%.2f"),
					figure("processes-" + count, "empty", "%.2f"))));
		}
		return String.join("\n", lines);
	}

	/**
	 * Two processes that share slow work.
	 * @return a sentence
	 */
	String share() {
		return this.run.result("share", Targets.OURS)
			.map((result) -> "Of 800 tasks of 50 ms, due at once, the less busy of two processes handled "
					+ figure("share", "share", "%.0f") + " %; all were started within "
					+ figure("share", "seconds", "%.1f") + " seconds, of 2.5 that 16 workers need at least.")
			.orElse("");
	}

	/**
	 * An application of many queues.
	 * @return a table in Markdown
	 */
	String queues() {
		List<String> lines = new ArrayList<>();
		lines.add(
				"| queues | threads | subscription connections | CPU of the client, % of a core | CPU of Redis, % of a core"
						+ " | commands/s | a task in each queue handled after, ms |");
		lines.add("|---:|---:|---:|---:|---:|---:|---:|");
		for (int count : QUEUES) {
			String measure = "queues-" + count;
			if (this.run.result(measure, Targets.OURS).isPresent()) {
				lines.add("| " + count + " | " + figure(measure, "threads", "%.0f") + " | "
						+ figure(measure, "subscriptions", "%.0f") + " | " + figure(measure, "clientCpu", "%.1f")
						+ " | " + figure(measure, "serverCpu", "%.1f") + " | " + figure(measure, "commands", "%.0f")
						+ " | " + figure(measure, "workMillis", "%.0f") + " |");
			}
		}
		return String.join("\n", lines);
	}

	/**
	 * What calls cost on queues of several sizes.
	 * @return a table in Markdown, and what the server called slow
	 */
	String size() {
		List<String> lines = new ArrayList<>();
		lines.add("| call | " + this.sizes.sizes().stream().map(Growth::pending).collect(Collectors.joining(" | "))
				+ " | at worst |");
		lines.add("|---|" + "---:|".repeat(this.sizes.sizes().size() + 1));
		for (String call : SizeFigures.CALLS) {
			String cells = this.sizes.sizes()
				.stream()
				.map((size) -> String.format(Locale.ROOT, "%.0f µs (mean %.0f)", this.sizes.micros(call, size),
						this.sizes.meanMicros(call, size)))
				.collect(Collectors.joining(" | "));
			String growth = this.sizes.growth(call)
				.stream()
				.mapToObj((ratio) -> "×" + Row.ratioText(ratio))
				.collect(Collectors.joining());
			lines.add("| " + call + " | " + cells + " | " + growth + " |");
		}
		String slow = this.run.result(SizeFigures.MEASURE, Targets.OURS).map(Result::note).orElse("");
		return String.join("\n", lines) + "\n\nCommands that took more than 10 ms of the server: "
				+ ((slow == null || slow.isEmpty()) ? "none." : slow + ".") + control();
	}

	private String control() {
		double slow = figure(SizeFigures.MEASURE, "slowControl");
		return Double.isNaN(slow) ? ""
				: String.format(Locale.ROOT, "\n\nThe control on this machine, without any queue: %.0f.", slow);
	}

	private static String pending(int size) {
		return String.format(Locale.ROOT, "%,d pending", size);
	}

	/**
	 * The cost of calls over the number of pending tasks.
	 * @return an SVG document
	 */
	String sizeChart() {
		List<Line> lines = SizeFigures.CALLS.stream()
			.map((call) -> new Line(call.equals("claim") ? "claim and complete" : call,
					this.sizes.sizes().stream().map((size) -> new Point(size, this.sizes.micros(call, size))).toList()))
			.toList();
		return LineChart.svg("Cost of a call by the number of pending tasks", "microseconds, median", "pending tasks",
				lines);
	}

	/**
	 * What is required.
	 * @return the checks
	 */
	List<Check> checks() {
		List<Check> checks = new ArrayList<>();
		double worst = PROCESSES.stream().flatMapToDouble((count) -> rate(count).stream()).min().orElse(Double.NaN);
		double best = bestRate().orElse(Double.NaN);
		add(checks, "Drain by 1, 2, 4 and 8 processes, worst against best", "at least 0.80", worst / best,
				worst / best >= 0.8);
		double empty = PROCESSES.stream()
			.flatMapToDouble((count) -> this.run.median("processes-" + count, Targets.OURS, "empty").stream())
			.max()
			.orElse(Double.NaN);
		add(checks, "Empty claims per task at 1,000 a second, 1 to 8 processes", "below 1", empty, empty < 1);
		double share = this.run.median("share", Targets.OURS, "share").orElse(Double.NaN);
		add(checks, "Slow work, part of the less busy of two processes", "at least 45 %", share, share >= 45);
		double threads = figure("queues-1000", "threads") - figure("queues-1", "threads");
		add(checks, "Threads more with 1,000 queues than with one", "at most 10", threads, threads <= 10);
		double subscriptions = figure("queues-1000", "subscriptions");
		add(checks, "Subscription connections with 1,000 queues", "1", subscriptions, subscriptions == 1);
		double cpu = figure("queues-1000", "clientCpu");
		add(checks, "CPU of an idle client with 1,000 queues", "below 15 % of a core", cpu, cpu < 15);
		for (String call : SizeFigures.CALLS) {
			double growth = this.sizes.growth(call).orElse(Double.NaN);
			add(checks, "Cost of " + call + ", " + largest() + " pending against 10,000", "at most 1.5", growth,
					growth <= 1.5);
		}
		double slow = this.sizes.slow().orElse(Double.NaN);
		add(checks, "Commands of more than 10 ms, " + largest() + " pending", "0", slow, slow == 0);
		return checks;
	}

	private String largest() {
		List<Integer> all = this.sizes.sizes();
		return all.isEmpty() ? "1,000,000" : String.format(Locale.ROOT, "%,d", all.get(all.size() - 1));
	}

	private static void add(List<Check> checks, String name, String required, double value, boolean passed) {
		String measured = Double.isNaN(value) ? null
				: String.format(Locale.ROOT, (value == Math.rint(value)) ? "%.0f" : "%.2f", value);
		checks.add(new Check(name, required, measured, passed, false));
	}

	private OptionalDouble rate(int processes) {
		return this.run.median("processes-" + processes, Targets.OURS, "rate");
	}

	private OptionalDouble bestRate() {
		return PROCESSES.stream().flatMapToDouble((count) -> rate(count).stream()).max();
	}

	private double figure(String measure, String name) {
		return this.run.median(measure, Targets.OURS, name).orElse(Double.NaN);
	}

	private String figure(String measure, String name, String format) {
		OptionalDouble value = this.run.median(measure, Targets.OURS, name);
		return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "–";
	}

}
