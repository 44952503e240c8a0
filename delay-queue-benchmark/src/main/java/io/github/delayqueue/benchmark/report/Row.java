package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.measure.Sample;

/**
 * Figures of all systems: a line of the table.
 *
 * @param label what they are, with their unit
 * @param measure key of the measure
 * @param figures names of the figures in its results
 */
record Row(String label, String measure, List<String> figures) {

	private static final String RATE = "rate";

	/** So many are a median; of fewer it is said how many. */
	private static final int ENOUGH = 3;

	/** Who accepts less of what it is offered has not kept up. */
	private static final double KEPT_UP = 0.99;

	Row(String label, String measure, String figure) {
		this(label, measure, List.of(figure));
	}

	/**
	 * The figures of a system.
	 * @param results all that was measured
	 * @param system key of the system
	 * @return the medians, each with the least and the most; a dash if there are none,
	 * and a word if there are some that prove nothing
	 */
	String text(List<Result> results, String system) {
		List<Result> own = results.stream()
			.filter((result) -> result.measure().equals(this.measure) && result.system().equals(system))
			.toList();
		List<Sample> samples = own.stream().map(Result::sample).filter(Objects::nonNull).toList();
		if (own.stream().anyMatch(Result::failed)) {
			return "failed";
		}
		int processes = sorted(samples, this.figures.get(0)).length;
		if (processes == 0) {
			return "–";
		}
		Counts counts = samples.stream().map(Sample::counts).reduce(Counts.NONE, Counts::plus);
		boolean stopped = samples.stream().anyMatch(Sample::stopped);
		if (!counts.clean() && !stopped) {
			return "not quoted: " + counts;
		}
		String text = this.figures.stream()
			.map((figure) -> spread(sorted(samples, figure)))
			.collect(Collectors.joining(" / "));
		return bound(samples, stopped) + text + ((processes < ENOUGH) ? " " + processes + "×" : "") + offered(samples);
	}

	private String bound(List<Sample> samples, boolean stopped) {
		boolean more = samples.stream().anyMatch((sample) -> sample.values().getOrDefault("more", 0.0) > 0);
		return more ? "≥ " : stopped ? "< " : "";
	}

	/** Of three processes, from the least to the most. */
	private static String spread(double[] ascending) {
		String least = format(ascending[0]);
		String most = format(ascending[ascending.length - 1]);
		boolean wide = ascending.length >= ENOUGH && !least.equals(most);
		return format(median(ascending)) + (wide ? " (" + least + "–" + most + ")" : "");
	}

	private String offered(List<Sample> samples) {
		double[] rates = sorted(samples, RATE);
		double[] offered = sorted(samples, "offered");
		boolean behind = !this.figures.contains(RATE) && offered.length > 0
				&& median(rates) < KEPT_UP * median(offered);
		return behind ? " at " + format(median(rates)) + "/s" : "";
	}

	private static double[] sorted(List<Sample> samples, String figure) {
		return samples.stream()
			.filter((sample) -> sample.values().containsKey(figure))
			.mapToDouble((sample) -> sample.values().get(figure))
			.sorted()
			.toArray();
	}

	/** Of an even number the lower one of the middle two. */
	private static double median(double[] ascending) {
		return ascending[(ascending.length - 1) / 2];
	}

	/** So that a figure says no more than it knows: three digits that count at most. */
	static String format(double value) {
		if (Math.abs(value) < 9.95) {
			return String.format(Locale.ROOT, "%.1f", value);
		}
		double step = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.abs(value))) - 2));
		return String.format(Locale.ROOT, "%,d", Math.round(Math.round(value / step) * step));
	}

}
