package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

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
		double[] sorted = sorted(name);
		return (sorted.length > 0) ? OptionalDouble.of(sorted[(sorted.length - 1) / 2]) : OptionalDouble.empty();
	}

	/**
	 * A figure of all repetitions.
	 * @param name of the figure
	 * @return the values in ascending order
	 */
	public double[] sorted(String name) {
		return values(name).sorted().toArray();
	}

	/**
	 * A figure of all repetitions.
	 * @param name of the figure
	 * @return the values, in the order of the repetitions
	 */
	public DoubleStream values(String name) {
		return this.samples.stream()
			.filter((sample) -> sample.values().containsKey(name))
			.mapToDouble((sample) -> sample.values().get(name));
	}

	/**
	 * Put the repetitions of two processes together.
	 * @param other the same measure of the same system
	 * @return both
	 */
	Result plus(Result other) {
		return new Result(this.measure, this.system,
				Stream.concat(this.samples.stream(), other.samples.stream()).toList(),
				(this.note != null) ? this.note : other.note);
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
