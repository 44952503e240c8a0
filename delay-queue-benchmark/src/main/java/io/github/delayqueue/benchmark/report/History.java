package io.github.delayqueue.benchmark.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.benchmark.measure.Result;

/**
 * What all runs have found out: a line of JSON for each run and measure.
 */
final class History {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final Path file;

	/**
	 * Of a file, which need not exist.
	 * @param file where it is
	 */
	History(Path file) {
		this.file = file;
	}

	/**
	 * Add a run, unless it is there already.
	 * @param run what was found out
	 */
	void add(Run run) {
		if (entries().stream().anyMatch((entry) -> entry.run.equals(run.started()))) {
			return;
		}
		try {
			Files.write(this.file, entries(run).map(MAPPER::writeValueAsString).toList(), StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Compare a run with the newest one before it.
	 * @param run what was found out
	 * @return a line for each rate of the delay queue whose median is not within what the
	 * other run had from the least to the most
	 */
	List<String> outside(Run run) {
		List<Entry> before = entries().stream().filter((entry) -> entry.run.isBefore(run.started())).toList();
		Instant newest = before.stream().map(Entry::run).max(Comparator.naturalOrder()).orElse(Instant.MIN);
		return entries(run)
			.flatMap((now) -> before.stream()
				.filter((entry) -> entry.run.equals(newest) && entry.measure.equals(now.measure))
				.flatMap((entry) -> outside(now, entry)))
			.toList();
	}

	private static Stream<String> outside(Entry now, Entry before) {
		List<Double> is = rate(now);
		List<Double> was = rate(before);
		boolean both = is.size() == 3 && was.size() == 3;
		return (both && (is.get(1) < was.get(0) || is.get(1) > was.get(2)))
				? Stream.of(now.measure + ": " + Unit.RATE.format(is.get(1)) + " is not within "
						+ Unit.RATE.format(was.get(0)) + " to " + Unit.RATE.format(was.get(2)))
				: Stream.empty();
	}

	private static List<Double> rate(Entry entry) {
		return entry.figures.getOrDefault(Targets.OURS, Map.of()).getOrDefault("rate", List.of());
	}

	private List<Entry> entries() {
		if (!Files.exists(this.file)) {
			return List.of();
		}
		try (Stream<String> lines = Files.lines(this.file)) {
			return lines.map((line) -> MAPPER.readValue(line, Entry.class)).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Entry> entries(Run run) {
		return run.results().stream().map(Result::measure).distinct().map((measure) -> {
			Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>();
			run.results()
				.stream()
				.filter((result) -> result.measure().equals(measure) && !result.samples().isEmpty())
				.forEach((result) -> figures.put(result.system(), figures(result)));
			return new Entry(run.started(), measure, figures);
		});
	}

	private static Map<String, List<Double>> figures(Result result) {
		Map<String, List<Double>> figures = new LinkedHashMap<>();
		result.samples().get(0).values().keySet().forEach((name) -> {
			double[] sorted = result.sorted(name);
			figures.put(name,
					Stream.of(sorted[0], sorted[(sorted.length - 1) / 2], sorted[sorted.length - 1])
						.map(History::rounded)
						.toList());
		});
		return figures;
	}

	/** To three digits behind the point, which is more than any figure knows. */
	private static double rounded(double value) {
		return Double.isFinite(value) ? Math.round(value * 1000) / 1000.0 : -1;
	}

	/**
	 * A line.
	 *
	 * @param run when it began
	 * @param measure key of the measure
	 * @param figures of each system: the least, the median and the most of its processes
	 */
	record Entry(Instant run, String measure, Map<String, Map<String, List<Double>>> figures) {

	}

}
