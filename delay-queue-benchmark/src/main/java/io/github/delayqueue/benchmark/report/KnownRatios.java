package io.github.delayqueue.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What is known of peers from other measurements, as ratios to a bare {@code ZADD} or
 * another system in the same run. Who falls far below was not run as it should have been:
 * that is a fault of this harness and no result.
 */
public final class KnownRatios {

	private static final double TOLERANCE = 0.7;

	private static final List<Known> ALL = List.of(
			new Known("redisson", "enqueue-1", "rate", 11_300, "enqueue-1", "bare", 15_000, true),
			new Known("redisson", "enqueue-16", "rate", 20_300, "enqueue-16", "bare", 74_000, true),
			// how fast bulk ZADD and loop are depends on batches and warm-up; a single
			// command
			// is the same everywhere
			new Known("redisson", "enqueue-bulk", "rate", 23_200, "enqueue-16", "bare", 74_000, true),
			new Known("redisson", "drain", "rate", 3200, "enqueue-1", "bare", 15_000, true),
			new Known("bare", "drain", "rate", 100_000, "drain", "loop", 134_000, true),
			new Known("redisson", "memory-100k", "bytes", 408, "memory-100k", "bare", 256, false),
			new Known("redisson", "late", "p50", 9.4, "late", "polling", 504, false),
			new Known("expiry", "late", "p50", 264, "late", "polling", 504, false));

	private KnownRatios() {
	}

	/**
	 * Find peers that did worse than they can.
	 * @param run what was measured
	 * @return a sentence for each
	 */
	public static List<String> faults(Run run) {
		List<String> faults = new ArrayList<>();
		for (Known known : ALL) {
			OptionalDouble value = run.median(known.measure, known.system, known.figure);
			OptionalDouble base = run.median(known.baseMeasure, known.base, known.figure);
			if (value.isEmpty() || base.isEmpty()) {
				continue;
			}
			double part = value.getAsDouble() / base.getAsDouble() / (known.value / known.baseValue);
			if (!known.higherIsBetter) {
				part = 1 / part;
			}
			if (part < TOLERANCE) {
				faults.add(String.format(Locale.ROOT,
						"%s, %s: %.0f %% of the ratio to '%s' that is known of it (%.3g instead of %.3g)", known.system,
						known.measure, 100 * part, known.base, value.getAsDouble() / base.getAsDouble(),
						known.value / known.baseValue));
			}
		}
		return faults;
	}

	private record Known(String system, String measure, String figure, double value, String baseMeasure, String base,
			double baseValue, boolean higherIsBetter) {

	}

}
