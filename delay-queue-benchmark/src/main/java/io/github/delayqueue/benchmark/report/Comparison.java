package io.github.delayqueue.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.measure.Sample;

/**
 * Two states of the project, measured in turn. A figure has got worse only if it is worse
 * by more than a tenth in each of at least {@value #ROUNDS} rounds: in one round a
 * machine may be busy with something else.
 */
public final class Comparison {

	/** How many have to agree. */
	public static final int ROUNDS = 3;

	private static final double TOLERANCE = 0.1;

	/** Whether more of it is better. */
	private static final Map<String, Boolean> JUDGED = Map.of("rate", true, "clientCpu", false, "serverCpu", false);

	private final Map<String, Figure> figures = new LinkedHashMap<>();

	/**
	 * Add a round of a measure.
	 * @param measure its key
	 * @param then what the earlier state gave
	 * @param now what the present state gave
	 */
	public void add(String measure, Sample then, Sample now) {
		now.values().forEach((name, value) -> {
			Figure figure = this.figures.computeIfAbsent(measure + " " + name,
					(key) -> new Figure(JUDGED.get(name), new ArrayList<>(), new ArrayList<>()));
			figure.then().add(then.values().getOrDefault(name, Double.NaN));
			figure.now().add(value);
		});
	}

	/**
	 * What has got worse.
	 * @return names of figures, such as {@code "drain rate"}
	 */
	public List<String> worse() {
		return this.figures.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().isWorse())
			.map(Map.Entry::getKey)
			.toList();
	}

	/**
	 * All figures for a reader.
	 * @return a line each: the medians, and what the present one is of the earlier one in
	 * each round
	 */
	public String table() {
		return this.figures.entrySet()
			.stream()
			.map((entry) -> String.format(Locale.ROOT, "%-26s %s%n", entry.getKey(), entry.getValue().text()))
			.collect(Collectors.joining());
	}

	/**
	 * The names of what {@link #line()} has.
	 * @return separated by commas
	 */
	public String header() {
		return judged().stream()
			.map((entry) -> entry.getKey() + "," + entry.getKey() + " ratio")
			.collect(Collectors.joining(","));
	}

	/**
	 * What is judged, for a history.
	 * @return for each figure the median of the present state, and the median of what
	 * that is of the earlier one, separated by commas
	 */
	public String line() {
		return judged().stream()
			.map(Map.Entry::getValue)
			.map((figure) -> String.format(Locale.ROOT, "%.1f,%.3f", median(figure.now()), median(figure.ratios())))
			.collect(Collectors.joining(","));
	}

	private List<Map.Entry<String, Figure>> judged() {
		return this.figures.entrySet().stream().filter((entry) -> entry.getValue().moreIsBetter() != null).toList();
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().toList().get((values.size() - 1) / 2);
	}

	/** A figure of each round; it is not known of all which direction is better. */
	private record Figure(@Nullable Boolean moreIsBetter, List<Double> then, List<Double> now) {

		List<Double> ratios() {
			List<Double> ratios = new ArrayList<>();
			for (int round = 0; round < this.now.size(); round++) {
				ratios.add(this.now.get(round) / this.then.get(round));
			}
			return ratios;
		}

		boolean isWorse() {
			return this.moreIsBetter != null && this.now.size() >= ROUNDS && ratios().stream()
				.allMatch((ratio) -> this.moreIsBetter ? ratio < 1 - TOLERANCE : ratio > 1 + TOLERANCE);
		}

		String text() {
			String ratios = ratios().stream()
				.map((ratio) -> String.format(Locale.ROOT, "%.2f", ratio))
				.collect(Collectors.joining(" "));
			return String.format(Locale.ROOT, "%10s then %10s now, ratios %s", Row.format(median(this.then)),
					Row.format(median(this.now)), ratios);
		}

	}

}
