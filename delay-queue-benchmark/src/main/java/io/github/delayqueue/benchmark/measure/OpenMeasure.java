package io.github.delayqueue.benchmark.measure;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * An open loop at one rate, see {@link OpenLoop}.
 */
final class OpenMeasure extends ForkedMeasure {

	/** What is called in time. */
	static final double LIMIT_MILLIS = 100;

	/** Who is so late at a rate need not try a higher one. */
	private static final double HOPELESS_MILLIS = 1000;

	private static final double SECONDS = 20;

	private final int perSecond;

	private final int others;

	/**
	 * Plan.
	 * @param perSecond tasks in a second
	 * @param others how many others wait, due an hour later
	 */
	OpenMeasure(int perSecond, int others) {
		super(key(perSecond) + ((others > 0) ? "-others" : ""), "Open loop, " + perSecond + " tasks a second"
				+ ((others > 0) ? ", " + others + " others pending" : ""));
		this.perSecond = perSecond;
		this.others = others;
	}

	static String key(int perSecond) {
		return "open-" + perSecond;
	}

	@Override
	boolean isPossible(SystemType type) {
		return !type.has(Trait.NO_CONSUMER);
	}

	/** Not at a rate where a lower one was far too much. */
	@Override
	@Nullable Sample measure(Fork fork) {
		boolean hopeless = Measures.OPEN_RATES.stream()
			.filter((rate) -> rate < this.perSecond)
			.anyMatch(
					(rate) -> fork.sample(key(rate)).map((sample) -> !isWithin(sample, HOPELESS_MILLIS)).orElse(false));
		return hopeless ? null : run(fork, this.perSecond, SECONDS, this.others);
	}

	/**
	 * Whether a system keeps up: 99 of a hundred tasks, and as many calls, are in time.
	 * @param sample what came out
	 * @return whether they are
	 */
	static boolean isInTime(Sample sample) {
		return isWithin(sample, LIMIT_MILLIS);
	}

	private static boolean isWithin(Sample sample, double millis) {
		return sample.values().get("p99") < millis && sample.values().get("call99") < millis;
	}

	static Sample run(Fork fork, double perSecond, double seconds, int others) {
		Subject subject = fork.subject();
		fork.warmUp();
		subject.reset();
		if (others > 0) {
			long far = System.currentTimeMillis() + Tasks.FAR_MILLIS;
			subject.fill(Integer.MAX_VALUE / 2, fork.size(others), (number) -> far);
		}
		Sample sample = new OpenLoop(fork, perSecond, fork.seconds(seconds), (others > 0) ? fork.size(others) : 0)
			.run();
		subject.reset();
		return sample;
	}

	/**
	 * The highest rate that a system keeps up with: between the highest that it did and
	 * the next one, by halves. Zero if it is too late at each rate that was tried.
	 */
	static final class Highest extends ForkedMeasure {

		private static final int STEPS = 2;

		private static final double STEP_SECONDS = 5;

		Highest() {
			super("open-highest", "Open loop, the highest rate in time");
		}

		@Override
		boolean isPossible(SystemType type) {
			return !type.has(Trait.NO_CONSUMER);
		}

		@Override
		@Nullable Sample measure(Fork fork) {
			double low = 0;
			double high = 0;
			boolean measured = false;
			for (int rate : Measures.OPEN_RATES) {
				Sample sample = fork.sample(OpenMeasure.key(rate)).orElse(null);
				measured |= sample != null;
				if (sample != null && isInTime(sample)) {
					low = rate;
					high = 0;
				}
				else if (sample != null && high == 0) {
					high = rate;
				}
			}
			for (int step = 0; step < STEPS && high > 0; step++) {
				double middle = Math.round((low + high) / 2);
				if (isInTime(run(fork, middle, STEP_SECONDS, 0))) {
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
