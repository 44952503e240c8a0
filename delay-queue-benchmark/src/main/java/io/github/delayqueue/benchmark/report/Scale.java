package io.github.delayqueue.benchmark.report;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * From values to lengths.
 *
 * @param low the value, or its decimal logarithm, where the axis begins
 * @param high where it ends
 * @param logarithmic whether lengths are logarithms
 * @param pixels length of the axis
 */
record Scale(double low, double high, boolean logarithmic, double pixels) {

	private static final int STEPS = 4;

	static Scale of(BarChart.Panel panel, double pixels) {
		double[] values = panel.bars().stream().mapToDouble(BarChart.Bar::value).filter((value) -> value > 0).toArray();
		double greatest = Arrays.stream(values).max().orElse(1);
		if (!panel.logarithmic()) {
			double step = step(greatest / STEPS);
			return new Scale(0, step * Math.ceil(greatest / step), false, pixels);
		}
		double low = Math.floor(Math.log10(Arrays.stream(values).min().orElse(1)) - 0.01);
		return new Scale(low, Math.max(low + 1, Math.ceil(Math.log10(greatest))), true, pixels);
	}

	/** The next of 1, 2, 5, 10, 20, 50 … */
	static double step(double atLeast) {
		double decade = Math.pow(10, Math.floor(Math.log10(atLeast)));
		double digit = atLeast / decade;
		return decade * ((digit <= 1) ? 1 : (digit <= 2) ? 2 : (digit <= 5) ? 5 : 10);
	}

	/**
	 * How long a bar is.
	 * @param value what it stands for
	 * @return pixels, zero for zero
	 */
	double length(double value) {
		if (value <= 0) {
			return 0;
		}
		double position = this.logarithmic ? Math.log10(value) : value;
		return Math.max(0, (position - this.low) / (this.high - this.low) * this.pixels);
	}

	/**
	 * Values to be written along the axis.
	 * @return the decades, or round numbers
	 */
	double[] ticks() {
		if (this.logarithmic) {
			return IntStream.rangeClosed((int) this.low, (int) this.high)
				.mapToDouble((power) -> Math.pow(10, power))
				.toArray();
		}
		double step = step(this.high / STEPS);
		return IntStream.rangeClosed(0, (int) Math.round(this.high / step))
			.mapToDouble((count) -> count * step)
			.toArray();
	}

}
