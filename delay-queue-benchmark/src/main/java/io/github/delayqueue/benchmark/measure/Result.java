package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.OptionalDouble;

import org.jspecify.annotations.Nullable;

/**
 * What a measure gave for a system.
 *
 * @param measure key of the measure
 * @param system key of the system
 * @param samples of the repetitions that count
 * @param note what the reader has to know, such as why there is no figure
 */
public record Result(String measure, String system, List<Sample> samples, @Nullable String note) {

	/**
	 * The median of the repetitions; of an even number of them the lower one of the
	 * middle two.
	 * @param name of the figure
	 * @return the figure, empty if there is none
	 */
	public OptionalDouble median(String name) {
		double[] sorted = this.samples.stream()
			.filter((sample) -> sample.values().containsKey(name))
			.mapToDouble((sample) -> sample.values().get(name))
			.sorted()
			.toArray();
		return (sorted.length > 0) ? OptionalDouble.of(sorted[(sorted.length - 1) / 2]) : OptionalDouble.empty();
	}

	/**
	 * Whether it took too long.
	 * @return whether the figures are bounds
	 */
	public boolean stopped() {
		return this.samples.stream().anyMatch(Sample::stopped);
	}

	/**
	 * What went wrong in all repetitions together.
	 * @return the sum
	 */
	public Counts counts() {
		return this.samples.stream().map(Sample::counts).reduce(Counts.NONE, Counts::plus);
	}

}
