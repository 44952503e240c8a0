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
 * @param seconds how long the repetition took, preparation included
 */
public record Sample(Map<String, Double> values, Counts counts, boolean stopped, double seconds) {

	public static Sample of(String name, double value) {
		return new Sample(Map.of(name, value), Counts.NONE, false, 0);
	}

	public Sample with(String name, double value) {
		Map<String, Double> values = new LinkedHashMap<>(this.values);
		values.put(name, value);
		return new Sample(values, this.counts, this.stopped, this.seconds);
	}

	public Sample with(Counts counts) {
		return new Sample(this.values, counts, this.stopped, this.seconds);
	}

	public Sample asStopped() {
		return new Sample(this.values, this.counts, true, this.seconds);
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
		return new Sample(middle.values, counts, samples.stream().anyMatch(Sample::stopped), middle.seconds);
	}

	/**
	 * The figures in a line, for a terminal.
	 * @return names and values
	 */
	String text() {
		return (this.stopped ? "stopped " : "") + this.values.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + " "
					+ String.format(Locale.ROOT, (entry.getValue() < 100) ? "%.2f" : "%,.0f", entry.getValue()))
			.collect(Collectors.joining(", "));
	}

	Sample took(double seconds) {
		return new Sample(this.values, this.counts, this.stopped, seconds);
	}

}
