package io.github.delayqueue.benchmark.measure;

import org.jspecify.annotations.Nullable;

/**
 * An open loop at one rate, see {@link OpenLoop}.
 */
final class OpenMeasure extends Measure {

	/** What is called in time. */
	private static final double LIMIT_MILLIS = 100;

	/** Who is so late at a rate need not try a higher one. */
	private static final double HOPELESS_MILLIS = 1000;

	private static final double SECONDS = 20;

	private final int perSecond;

	OpenMeasure(int perSecond) {
		super(key(perSecond));
		this.perSecond = perSecond;
	}

	private static String key(int perSecond) {
		return "open-" + perSecond;
	}

	/** Not at a rate where a lower one was far too much. */
	@Override
	@Nullable Sample measure(Fork fork) {
		boolean hopeless = Measures.OPEN_RATES.stream()
			.filter((rate) -> rate < this.perSecond)
			.flatMap((rate) -> fork.sample(key(rate)).stream())
			.anyMatch((sample) -> !isWithin(sample, HOPELESS_MILLIS));
		return hopeless ? null : run(fork, this.perSecond, SECONDS);
	}

	private static boolean isWithin(Sample sample, double millis) {
		return sample.values().get("p99") < millis && sample.values().get("call99") < millis;
	}

	private static Sample run(Fork fork, double perSecond, double seconds) {
		fork.warmUp();
		fork.subject().reset();
		Sample sample = new OpenLoop(fork, perSecond, fork.seconds(seconds)).run();
		fork.subject().reset();
		return sample;
	}

	/**
	 * The highest rate that a system keeps up with, which is that 99 of a hundred tasks,
	 * and as many calls, are in time: between the highest that it did and the next one,
	 * by halves. Zero if it is too late at each rate that was tried.
	 */
	static final class Highest extends Measure {

		private static final int STEPS = 2;

		private static final double STEP_SECONDS = 5;

		Highest() {
			super("open-highest");
		}

		@Override
		@Nullable Sample measure(Fork fork) {
			double low = 0;
			double high = 0;
			boolean measured = false;
			for (int rate : Measures.OPEN_RATES) {
				Sample sample = fork.sample(OpenMeasure.key(rate)).orElse(null);
				measured |= sample != null;
				if (sample != null && isWithin(sample, LIMIT_MILLIS)) {
					low = rate;
					high = 0;
				}
				else if (sample != null && high == 0) {
					high = rate;
				}
			}
			for (int step = 0; step < STEPS && high > 0; step++) {
				double middle = Math.round((low + high) / 2);
				if (isWithin(run(fork, middle, STEP_SECONDS), LIMIT_MILLIS)) {
					low = middle;
				}
				else {
					high = middle;
				}
			}
			return measured ? Sample.of("rate", low).with("more", (high > 0) ? 0 : 1) : null;
		}

	}

}
