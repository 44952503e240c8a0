package io.github.delayqueue.benchmark.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.springframework.core.io.ClassPathResource;

import io.github.delayqueue.benchmark.measure.Result;

/**
 * Tells people what a run has found out.
 */
public final class Report {

	private final Run run;

	private final List<Check> checks;

	private final List<String> faults;

	public Report(Run run) {
		this.run = run;
		this.checks = Targets.check(run);
		this.faults = KnownRatios.faults(run);
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
	 * Print the table, what is required, and what is wrong with the harness.
	 * @param out where to
	 */
	public void print(PrintStream out) {
		out.println();
		out.println(TextTable.terminal(this.run));
		this.run.systems().forEach((system) -> out.println(system.key() + ": " + settings(system)));
		out.println();
		for (Check check : this.checks) {
			out.printf(Locale.ROOT, "%-12s  %-55s  %-24s  %s%n", check.verdict(), check.name(), check.required(),
					(check.measured() != null) ? check.measured() : "–");
		}
		this.faults.forEach((fault) -> out.println("FAULT OF THE HARNESS  " + fault));
		out.println();
	}

	/**
	 * Write the document and its pictures.
	 * @param docs folder for {@code benchmark.md} and {@code benchmark/*.svg}
	 */
	public void write(Path docs) {
		try {
			Path folder = Files.createDirectories(docs.resolve("benchmark"));
			for (Section section : Section.ALL) {
				Files.writeString(folder.resolve(section.key() + ".svg"), Plots.draw(this.run, section));
			}
			Files.writeString(folder.resolve("size.svg"), new Growth(this.run).sizeChart());
			Files.writeString(docs.resolve("benchmark.md"), document());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String document() throws IOException {
		String text = new ClassPathResource("benchmark.md", Report.class).getContentAsString(StandardCharsets.UTF_8);
		text = text.replace("{{machine}}", list(this.run.machine()))
			.replace("{{date}}",
					DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH)
						.withZone(ZoneOffset.UTC)
						.format(this.run.started()))
			.replace("{{minutes}}", String.valueOf(Math.round(this.run.seconds() / 60)))
			.replace("{{large}}", Stored.isLarge(this.run) ? ", with `-Dlarge=true`" : "")
			.replace("{{systems}}", systems())
			.replace("{{checks}}", checks())
			.replace("{{errors}}", errors())
			.replace("{{faults}}", faultLines())
			.replace("{{effort}}", effort());
		Growth growth = new Growth(this.run);
		text = text.replace("{{processes}}", growth.processes())
			.replace("{{share}}", growth.share())
			.replace("{{queues}}", growth.queues())
			.replace("{{size}}", growth.size())
			.replace("{{stored}}", Stored.tables(this.run));
		for (Section section : Section.ALL) {
			text = text.replace("{{" + section.key() + "}}", "![" + section.title() + "](benchmark/" + section.key()
					+ ".svg)\n\n" + TextTable.markdown(this.run, section).stripTrailing());
		}
		return text;
	}

	private String systems() {
		return this.run.systems()
			.stream()
			.map((system) -> "| " + system.title() + " (`" + system.key() + "`) | " + system.summary() + " | "
					+ settings(system) + " |")
			.collect(Collectors.joining("\n"));
	}

	private static String settings(Run.MeasuredSystem system) {
		return system.settings()
			.entrySet()
			.stream()
			.map((setting) -> setting.getKey() + " " + setting.getValue())
			.collect(Collectors.joining("; "));
	}

	private String checks() {
		return this.checks.stream()
			.map((check) -> "| " + check.name() + " | " + check.required() + " | "
					+ ((check.measured() != null) ? check.measured() : "–") + " | "
					+ (check.missed() ? "**missed**" : check.verdict()) + " |")
			.collect(Collectors.joining("\n"));
	}

	private String errors() {
		return this.run.systems()
			.stream()
			.map((system) -> "| " + system.title() + " | " + Errors.of(this.run, system.key()).text() + " |")
			.collect(Collectors.joining("\n"));
	}

	private String faultLines() {
		return this.faults.isEmpty() ? "None in this run."
				: this.faults.stream().map((fault) -> "- " + fault).collect(Collectors.joining("\n"));
	}

	/** How often what was repeated, and how long it took. */
	private String effort() {
		return this.run.measures().stream().map((measure) -> {
			Map<Integer, List<String>> systems = this.run.results()
				.stream()
				.filter((result) -> result.measure().equals(measure.key()))
				.collect(Collectors.groupingBy((result) -> result.samples().size(), TreeMap::new,
						Collectors.mapping(Result::system, Collectors.toList())));
			String repetitions = systems.entrySet()
				.stream()
				.map((entry) -> entry.getKey() + " × " + String.join(", ", entry.getValue()))
				.collect(Collectors.joining("; "));
			return "| " + measure.title() + " (`" + measure.key() + "`) | " + repetitions + " | "
					+ Math.round(measure.seconds()) + " s |";
		}).collect(Collectors.joining("\n"));
	}

	static String list(Map<String, String> values) {
		return values.entrySet()
			.stream()
			.map((value) -> "- " + value.getKey() + ": " + value.getValue())
			.collect(Collectors.joining("\n"));
	}

}
