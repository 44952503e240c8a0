package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.measure.Sample;

/**
 * What calls cost by the number of pending tasks: the figures of the measure
 * {@code size}, named {@code enqueue-10000} and so on.
 */
final class SizeFigures {

	static final String MEASURE = "size";

	/** The calls, in the order to show. */
	static final List<String> CALLS = List.of("enqueue", "claim", "cancel", "stats");

	private final Run run;

	private final List<Integer> sizes;

	SizeFigures(Run run) {
		this.run = run;
		String call = CALLS.get(0) + "-";
		this.sizes = run.result(MEASURE, Targets.OURS)
			.stream()
			.flatMap((result) -> result.samples().stream())
			.map(Sample::values)
			.flatMap((values) -> values.keySet().stream())
			.filter((name) -> name.startsWith(call))
			.map((name) -> Integer.valueOf(name.substring(call.length())))
			.distinct()
			.sorted()
			.toList();
	}

	/**
	 * Numbers of pending tasks.
	 * @return in ascending order, empty if nothing was measured
	 */
	List<Integer> sizes() {
		return this.sizes;
	}

	/**
	 * The median cost of a call.
	 * @param call the call
	 * @param size number of pending tasks
	 * @return microseconds
	 */
	double micros(String call, int size) {
		return this.run.median(MEASURE, Targets.OURS, call + "-" + size).orElse(Double.NaN);
	}

	double meanMicros(String call, int size) {
		return this.run.median(MEASURE, Targets.OURS, "mean-" + call + "-" + size).orElse(Double.NaN);
	}

	/**
	 * By how much a call is dearer than on the smallest queue, at worst.
	 * @param call the call
	 * @return the ratio of medians, empty if it was not measured on two sizes
	 */
	OptionalDouble growth(String call) {
		return IntStream.range(1, this.sizes.size())
			.mapToDouble((i) -> micros(call, this.sizes.get(i)) / micros(call, this.sizes.get(0)))
			.max();
	}

	/**
	 * How many commands the server called slow.
	 * @return the number, empty if it was not measured
	 */
	OptionalDouble slow() {
		return this.run.median(MEASURE, Targets.OURS, "slow");
	}

}
