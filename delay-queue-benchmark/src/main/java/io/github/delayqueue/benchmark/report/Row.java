package io.github.delayqueue.benchmark.report;

import java.util.Locale;
import java.util.OptionalDouble;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.measure.Result;

/**
 * A figure of all systems.
 *
 * @param label what it is
 * @param measure key of the measure
 * @param figure name of the figure in its results
 * @param unit of the figure
 * @param base key of the system that the others are compared with, {@code null} for none
 */
public record Row(String label, String measure, String figure, Unit unit, @Nullable String base) {

	/**
	 * The figure of a system as text, and its ratio to the base.
	 * @param run where it was measured
	 * @param system key of the system
	 * @return the text, a dash if there is none
	 */
	String text(Run run, String system) {
		OptionalDouble value = run.median(this.measure, system, this.figure);
		if (value.isEmpty()) {
			return "–";
		}
		boolean stopped = this.unit == Unit.RATE && run.result(this.measure, system).map(Result::stopped).orElse(false);
		String text = (stopped ? "< " : "") + this.unit.format(value.getAsDouble());
		OptionalDouble ratio = ratio(run, system);
		return ratio.isPresent() ? text + " (×" + ratioText(ratio.getAsDouble()) + ")" : text;
	}

	/**
	 * How often the base's figure goes into that of the system.
	 * @param run where it was measured
	 * @param system key of the system
	 * @return the ratio, empty for the base itself and where it was not measured
	 */
	OptionalDouble ratio(Run run, String system) {
		if (this.base == null || this.base.equals(system)) {
			return OptionalDouble.empty();
		}
		OptionalDouble value = run.median(this.measure, system, this.figure);
		OptionalDouble other = run.median(this.measure, this.base, this.figure);
		boolean both = value.isPresent() && other.isPresent() && other.getAsDouble() > 0;
		return both ? OptionalDouble.of(value.getAsDouble() / other.getAsDouble()) : OptionalDouble.empty();
	}

	static String ratioText(double ratio) {
		return String.format(Locale.ROOT, (ratio < 0.095) ? "%.3f" : (ratio < 9.95) ? "%.2f" : "%.0f", ratio);
	}

	/**
	 * What a figure counts, and how it is written.
	 */
	public enum Unit {

		/** Tasks a second. */
		RATE("tasks/s"),

		/** Milliseconds. */
		MILLIS("ms"),

		/** Bytes. */
		BYTES("bytes"),

		/** Commands a second. */
		COMMANDS("commands/s"),

		/** Percent of a core. */
		PERCENT("% of a core"),

		/** Seconds. */
		SECONDS("s"),

		/** Number of tasks. */
		TASKS("tasks");

		private final String text;

		Unit(String text) {
			this.text = text;
		}

		/**
		 * The unit as text.
		 * @return a short name
		 */
		public String text() {
			return this.text;
		}

		/**
		 * Write a figure so that it says no more than it knows.
		 * @param value the figure
		 * @return three digits that count, or whole numbers
		 */
		public String format(double value) {
			return switch (this) {
				case RATE -> String.format(Locale.ROOT, "%,d", toThreeDigits(value));
				case BYTES, TASKS -> String.format(Locale.ROOT, "%,d", Math.round(value));
				case MILLIS -> String.format(Locale.ROOT, (value < 9.95) ? "%.1f" : "%,.0f", value);
				case COMMANDS -> String.format(Locale.ROOT, (value < 9.95) ? "%.1f" : "%,.0f", value);
				case PERCENT -> String.format(Locale.ROOT, "%.2f", value);
				case SECONDS -> String.valueOf(Math.max(0, Math.round(value)));
			};
		}

		private static long toThreeDigits(double value) {
			double step = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 2));
			return Math.round(Math.round(value / step) * step);
		}

	}

}
