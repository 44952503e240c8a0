package io.github.delayqueue.benchmark.measure;

import java.util.LinkedHashMap;
import java.util.Map;

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

	Sample took(double seconds) {
		return new Sample(this.values, this.counts, this.stopped, seconds);
	}

}
