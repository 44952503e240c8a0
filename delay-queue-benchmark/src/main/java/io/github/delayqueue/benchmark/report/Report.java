package io.github.delayqueue.benchmark.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.measure.Result;

/**
 * Tells people what a run has found out.
 */
public final class Report {

	private static final Pattern PLACE = Pattern.compile("(?s)(<!-- figures -->\n).*?(<!-- /figures -->)");

	private static final List<Row> ROWS = List.of(new Row("highest rate in time, tasks/s", "open-highest", "rate"),
			open("late at ", 50, "p50", "p99"), open("late at ", 1000, "p50", "p99"),
			open("late at ", 5000, "p50", "p99"), open("late at ", 20_000, "p50", "p99"),
			open("late at ", 50_000, "p50", "p99"), open("calls at ", 1000, "call50", "call99"),
			open("calls at ", 20_000, "call50", "call99"),
			new Row("drain of 50,000, cold, tasks/s", "drain-cold", "rate"),
			new Row("drain of 50,000, warm, tasks/s", "drain", "rate"),
			new Row("drain of 1,000,000, tasks/s", "drain-1m", "rate"),
			new Row("enqueue, 1 thread, tasks/s", "enqueue-1", "rate"),
			new Row("enqueue, 16 threads, tasks/s", "enqueue-16", "rate"),
			new Row("enqueue, bulk, tasks/s", "enqueue-bulk", "rate"), cost("client CPU", 50, "µs", "clientCpu"),
			cost("client CPU", 1000, "µs", "clientCpu"), cost("client CPU", 20_000, "µs", "clientCpu"),
			cost("server CPU", 50, "µs", "serverCpu"), cost("server CPU", 1000, "µs", "serverCpu"),
			cost("server CPU", 20_000, "µs", "serverCpu"), cost("commands", 50, "of Redis", "commands"),
			cost("commands", 1000, "of Redis", "commands"), cost("commands", 20_000, "of Redis", "commands"),
			new Row("pending task, bytes of Redis", "memory", "bytes"),
			new Row("late of quiet tenants by themselves, ms", "quiet", List.of("alone50", "alone99")),
			new Row("late beside a million of another tenant, ms", "quiet", List.of("p50", "p99")),
			new Row("idle, commands of clients a second", "idle", "commands"),
			new Row("idle, commands in scripts a second", "idle", "inner"),
			new Row("idle, CPU of client and server, % of a core", "idle", "cpu"));

	private final List<SystemType> systems;

	private final Map<String, Map<String, String>> settings;

	private final List<Result> results;

	/**
	 * Take what there is.
	 * @param systems what was measured, in the order to show
	 * @param settings how each was configured, by its key
	 * @param results what came out
	 */
	public Report(List<SystemType> systems, Map<String, Map<String, String>> settings, List<Result> results) {
		this.systems = systems;
		this.settings = settings;
		this.results = results;
	}

	private static Row open(String label, int rate, String... figures) {
		return new Row(String.format(Locale.ROOT, "%s%,d/s, ms", label, rate), "open-" + rate, List.of(figures));
	}

	private static Row cost(String label, int rate, String unit, String figure) {
		return new Row(String.format(Locale.ROOT, "%s a task at %,d/s, %s", label, rate, unit), "open-" + rate, figure);
	}

	/**
	 * Whether the delay queue lost, doubled or advanced a task, or a measure of it
	 * failed.
	 * @return whether the build has to fail
	 */
	public boolean hasErrors() {
		List<String> ours = this.systems.stream()
			.filter((type) -> type.has(Trait.SUBJECT))
			.map(SystemType::key)
			.toList();
		return this.results.stream()
			.filter((result) -> ours.contains(result.system()))
			.anyMatch((result) -> result.failed() || (result.sample() != null && !result.sample().counts().clean()));
	}

	/**
	 * The table, and what it is of.
	 * @param started when the run began
	 * @param machine what it ran on
	 * @return Markdown
	 */
	public String text(Instant started, Map<String, String> machine) {
		String date = started.toString().substring(0, "2026-11-26".length());
		return "Run of " + date + ". " + join(machine, ": ") + ".\n\n" + table() + "\n\n"
				+ this.systems.stream().map(this::description).collect(Collectors.joining("\n")) + "\n";
	}

	private String description(SystemType type) {
		return "- **" + type.title() + "** (`" + type.key() + "`). " + type.summary() + " Settings: "
				+ join(this.settings.getOrDefault(type.key(), Map.of()), " ") + ".";
	}

	private String table() {
		Stream<String> head = Stream.of(
				"| | " + this.systems.stream().map(SystemType::title).collect(Collectors.joining(" | ")) + " |",
				"|---|" + "---:|".repeat(this.systems.size()));
		return Stream.concat(head, ROWS.stream().filter(this::isMeasured).map(this::line))
			.collect(Collectors.joining("\n"));
	}

	private boolean isMeasured(Row row) {
		return this.systems.stream().anyMatch((type) -> !row.text(this.results, type.key()).equals("–"));
	}

	private String line(Row row) {
		return "| " + row.label() + " | "
				+ this.systems.stream()
					.map((type) -> row.text(this.results, type.key()))
					.collect(Collectors.joining(" | "))
				+ " |";
	}

	/**
	 * Write it into a document that has a place for it.
	 * @param page the document
	 * @param text what is to be there
	 */
	public static void write(Path page, String text) {
		try {
			String before = Files.readString(page);
			Files.writeString(page, PLACE.matcher(before).replaceAll("$1" + Matcher.quoteReplacement(text) + "$2"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String join(Map<String, String> values, String separator) {
		return values.entrySet()
			.stream()
			.map((value) -> value.getKey() + separator + value.getValue())
			.collect(Collectors.joining("; "));
	}

}
