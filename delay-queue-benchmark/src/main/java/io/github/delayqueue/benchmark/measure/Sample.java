package io.github.delayqueue.benchmark.measure;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one repetition of a measure gave.
 *
 * @param values figures by name
 * @param counts what went wrong
 * @param stopped whether it took too long; the figures are bounds then, or those of a
 * part
 */
public record Sample(Map<String, Double> values, Counts counts, boolean stopped) {

	public static Sample of(String name, double value) {
		return new Sample(Map.of(name, value), Counts.NONE, false);
	}

	public Sample with(String name, double value) {
		Map<String, Double> values = new LinkedHashMap<>(this.values);
		values.put(name, value);
		return new Sample(values, this.counts, this.stopped);
	}

	public Sample with(Counts counts) {
		return new Sample(this.values, counts, this.stopped);
	}

	public Sample asStopped() {
		return new Sample(this.values, this.counts, true);
	}

	/**
	 * Add what half of the values do not exceed, and 99 of a hundred.
	 * @param prefix what the names of the figures begin with
	 * @param ascending the values in ascending order
	 * @return the sample with both, and nothing that is no number
	 */
	Sample withPercentiles(String prefix, double[] ascending) {
		return (ascending.length == 0) ? this
				: with(prefix + "50", percentile(ascending, 50)).with(prefix + "99", percentile(ascending, 99));
	}

	static double percentile(double[] ascending, int percent) {
		return ascending[Math.max(0, (percent * ascending.length + 99) / 100 - 1)];
	}

	/**
	 * Of several drains the one whose rate is in the middle, with what went wrong in any.
	 * @param samples with a rate each
	 * @return one sample
	 */
	static Sample median(List<Sample> samples) {
		Sample middle = samples.stream()
			.sorted(Comparator.comparingDouble((sample) -> sample.values.get("rate")))
			.toList()
			.get((samples.size() - 1) / 2);
		Counts counts = samples.stream().map(Sample::counts).reduce(Counts.NONE, Counts::plus);
		return new Sample(middle.values, counts, samples.stream().anyMatch(Sample::stopped));
	}

	String text() {
		String figures = this.values.entrySet()
			.stream()
			.map((entry) -> String.format(Locale.ROOT, "%s %,.2f", entry.getKey(), entry.getValue()))
			.collect(Collectors.joining(", "));
		return (this.stopped ? "stopped " : "") + figures + (this.counts.clean() ? "" : " " + this.counts);
	}

}
