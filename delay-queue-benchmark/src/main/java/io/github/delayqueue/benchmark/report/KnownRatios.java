package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;

import org.jspecify.annotations.Nullable;

/**
 * What is known of peers from other measurements, as ratios to another system in the same
 * measure. Who falls below 70 % of that was not run as it should have been, or the other
 * was not: that is a fault of this harness and no result.
 * <p>
 * A ratio has two sides. So that one can see which of them has moved, a fault of a rate
 * says as well how fast each is by the time that a single {@code ZADD} takes.
 */
public final class KnownRatios {

	private static final double TOLERANCE = 0.7;

	/** What a bare {@code ZADD} by one thread did where the known rates were measured. */
	private static final double YARDSTICK = 15_000;

	private static final List<Known> ALL = List.of(
			new Known("redisson", "enqueue-1", "rate", 11_300, "bare", 15_000, true),
			new Known("redisson", "enqueue-16", "rate", 20_300, "bare", 74_000, true),
			// the polling sorted set, which enqueues by the code of the bare commands
			new Known("redisson", "enqueue-bulk", "rate", 23_200, "bare", 261_000, true),
			new Known("redisson", "drain", "rate", 3200, "loop", 134_000, true),
			new Known("bare", "drain", "rate", 100_000, "loop", 134_000, true),
			new Known("redisson", "memory-100k", "bytes", 408, "bare", 256, false),
			new Known("redisson", "late", "p50", 9.4, "polling", 504, false),
			new Known("redisson", "late-others", "p50", 11, "polling", 503, false),
			new Known("expiry", "late", "p50", 264, "polling", 504, false));

	private KnownRatios() {
	}

	/**
	 * Find peers that did worse than they can.
	 * @param run what was measured
	 * @return a sentence for each
	 */
	public static List<String> faults(Run run) {
		return ALL.stream().map((known) -> fault(run, known)).filter(Objects::nonNull).toList();
	}

	private static @Nullable String fault(Run run, Known known) {
		OptionalDouble value = run.median(known.measure, known.system, known.figure);
		OptionalDouble base = run.median(known.measure, known.base, known.figure);
		if (value.isEmpty() || base.isEmpty()) {
			return null;
		}
		double ratio = value.getAsDouble() / base.getAsDouble();
		double part = known.higherIsBetter ? ratio / known.ratio() : known.ratio() / ratio;
		if (part >= TOLERANCE) {
			return null;
		}
		return String.format(Locale.ROOT,
				"%s, %s: %.0f %% of the ratio to '%s' that is known of it (%.3g instead of %.3g)", known.system,
				known.measure, 100 * part, known.base, ratio, known.ratio())
				+ (known.higherIsBetter ? sides(run, known, value.getAsDouble(), base.getAsDouble()) : "");
	}

	private static String sides(Run run, Known known, double value, double base) {
		OptionalDouble yardstick = run.median("enqueue-1", "bare", "rate");
		if (yardstick.isEmpty()) {
			return "";
		}
		double machine = yardstick.getAsDouble() / YARDSTICK;
		return String.format(Locale.ROOT,
				"; by a single ZADD, %s is at %.0f %% of what is known of it and %s at %.0f %%", known.system,
				100 * value / known.value / machine, known.base, 100 * base / known.baseValue / machine);
	}

	private record Known(String system, String measure, String figure, double value, String base, double baseValue,
			boolean higherIsBetter) {

		double ratio() {
			return this.value / this.baseValue;
		}

	}

}
