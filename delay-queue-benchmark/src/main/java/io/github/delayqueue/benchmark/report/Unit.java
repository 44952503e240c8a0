package io.github.delayqueue.benchmark.report;

import java.util.Locale;

/**
 * What a figure counts, and how it is written.
 */
enum Unit {

	/** Tasks a second. */
	RATE("tasks/s"),

	/** Milliseconds. */
	MILLIS("ms"),

	/** Microseconds. */
	MICROS("µs"),

	/** Bytes. */
	BYTES("bytes"),

	/** Commands. */
	COMMANDS("commands"),

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
	String text() {
		return this.text;
	}

	/**
	 * Write a figure so that it says no more than it knows.
	 * @param value the figure
	 * @return three digits that count, or whole numbers
	 */
	String format(double value) {
		return switch (this) {
			case RATE -> String.format(Locale.ROOT, "%,d", toThreeDigits(value));
			case BYTES, TASKS -> String.format(Locale.ROOT, "%,d", Math.round(value));
			case MILLIS, MICROS, COMMANDS, SECONDS ->
				String.format(Locale.ROOT, (Math.abs(value) < 9.95) ? "%.1f" : "%,.0f", value);
			case PERCENT -> String.format(Locale.ROOT, "%.2f", value);
		};
	}

	private static long toThreeDigits(double value) {
		double step = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 2));
		return Math.round(Math.round(value / step) * step);
	}

}
