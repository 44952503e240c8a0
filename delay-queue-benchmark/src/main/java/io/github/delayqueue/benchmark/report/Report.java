package io.github.delayqueue.benchmark.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.core.io.ClassPathResource;

import io.github.delayqueue.benchmark.measure.Result;

/**
 * Tells people what a run has found out.
 */
public final class Report {

	/** What is called in time, of the open loop. */
	private static final double LIMIT_MILLIS = 100;

	private final Run run;

	private final List<Check> checks;

	public Report(Run run) {
		this.run = run;
		this.checks = Targets.check(run);
	}

	/**
	 * Whether the delay queue lost, doubled or advanced a task, or a measure of it
	 * failed.
	 * @return whether the build has to fail
	 */
	public boolean hasErrors() {
		return this.checks.stream().anyMatch((check) -> check.missed() && check.fatal());
	}

	/**
	 * Whether it is slower than it should be.
	 * @return whether any requirement is not met
	 */
	public boolean hasMissedTargets() {
		return this.checks.stream().anyMatch(Check::missed);
	}

	/**
	 * Print the tables, what is required, and the notes.
	 * @param out where to
	 */
	public void print(PrintStream out) {
		out.println();
		Table.ALL.stream().map((table) -> table.markdown(this.run)).forEach((table) -> out.print(table + "\n\n"));
		this.run.systems().forEach((system) -> out.println(system.key() + ": " + join(system.settings(), "; ")));
		out.println(join(this.run.machine(), "\n"));
		out.println();
		for (Check check : this.checks) {
			out.printf(Locale.ROOT, "%-12s  %-55s  %-24s  %s%n", check.verdict(), check.name(), check.required(),
					(check.measured() != null) ? check.measured() : "–");
		}
		this.run.results()
			.stream()
			.filter((result) -> result.note() != null)
			.forEach((result) -> out.println(result.measure() + " of " + result.system() + ": " + result.note()));
		out.println();
	}

	/**
	 * Write the documents, their picture, their history, and the figures in the READMEs.
	 * @param docs folder for {@code benchmark.md}, two below that of the READMEs
	 * @param out is told what is not as it was in the run before
	 */
	public void write(Path docs, PrintStream out) {
		try {
			Path folder = Files.createDirectories(docs.resolve("benchmark"));
			try (DirectoryStream<Path> pictures = Files.newDirectoryStream(folder, "*.svg")) {
				for (Path picture : pictures) {
					Files.delete(picture);
				}
			}
			Files.writeString(folder.resolve("open.svg"), chart());
			Files.writeString(docs.resolve("benchmark.md"), document("benchmark.md"));
			Files.writeString(folder.resolve("details.md"), document("details.md"));
			History history = new History(folder.resolve("history.jsonl"));
			history.outside(this.run)
				.forEach((line) -> out.println("Outside of the spread of the run before: " + line));
			history.add(this.run);
			new Summary(this.run).write(docs.resolve("..").resolve("..").normalize());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String document(String template) throws IOException {
		String text = new ClassPathResource(template, Report.class).getContentAsString(StandardCharsets.UTF_8);
		Growth growth = new Growth(this.run);
		text = text
			.replace("{{machine}}",
					this.run.machine()
						.entrySet()
						.stream()
						.map((value) -> value.getKey() + ": " + value.getValue())
						.collect(Collectors.joining("; ")))
			.replace("{{date}}",
					DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH)
						.withZone(ZoneOffset.UTC)
						.format(this.run.started()))
			.replace("{{minutes}}", String.valueOf(Math.round(this.run.seconds() / 60)))
			.replace("{{systems}}",
					lines(this.run.systems()
						.stream()
						.map((system) -> "| " + system.title() + " (`" + system.key() + "`) | " + system.summary()
								+ " | " + join(system.settings(), "; ") + " |")))
			.replace("{{checks}}",
					lines(this.checks.stream()
						.map((check) -> "| " + check.name() + " | " + check.required() + " | "
								+ ((check.measured() != null) ? check.measured() : "–") + " | "
								+ (check.missed() ? "**missed**" : check.verdict()) + " |")))
			.replace("{{processes}}", growth.processes())
			.replace("{{share}}", share())
			.replace("{{queues}}", growth.queues())
			.replace("{{size}}", growth.size())
			.replace("{{stored}}", growth.stored());
		for (Table table : Table.ALL) {
			text = text.replace("{{" + table.key() + "}}", table.markdown(this.run));
		}
		return text;
	}

	private String share() {
		return this.run.result("share", Targets.OURS)
			.map((result) -> String.format(Locale.ROOT,
					"Of 800 tasks of 50 ms, due at once, the less busy of two processes handled %.0f %%; all were "
							+ "started within %.1f seconds, of 2.5 that 16 workers need at least.",
					result.median("share").orElse(Double.NaN), result.median("seconds").orElse(Double.NaN)))
			.orElse("");
	}

	private String chart() {
		List<LineChart.Line> lines = this.run.systems()
			.stream()
			.map((system) -> new LineChart.Line(system.title(),
					Stream.of(50, 1000, 5000, 20_000, 50_000)
						.flatMap((rate) -> this.run.result("open-" + rate, system.key())
							.filter((result) -> result.median("p99").isPresent())
							.map((result) -> point(rate, result))
							.stream())
						.toList()))
			.filter((line) -> !line.points().isEmpty())
			.toList();
		return LineChart.svg("How late 99 of a hundred tasks are at most", List.of("milliseconds", "tasks a second"),
				LIMIT_MILLIS, lines);
	}

	private static LineChart.Point point(int rate, Result result) {
		return new LineChart.Point(rate, result.median("p99").orElseThrow());
	}

	private static String lines(Stream<String> lines) {
		return lines.collect(Collectors.joining("\n"));
	}

	private static String join(Map<String, String> values, String separator) {
		return values.entrySet()
			.stream()
			.map((value) -> value.getKey() + " " + value.getValue())
			.collect(Collectors.joining(separator));
	}

}
