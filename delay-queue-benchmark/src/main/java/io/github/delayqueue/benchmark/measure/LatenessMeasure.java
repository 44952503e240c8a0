package io.github.delayqueue.benchmark.measure;

import java.util.Set;

import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * How much later than it was due a task is handed to the handler, while a system has
 * little to do or half of what it can do.
 */
final class LatenessMeasure extends RepeatedMeasure {

	private static final int CALM_TASKS = 500;

	private static final double CALM_RATE = 50;

	private static final int BUSY_SECONDS = 4;

	private static final int BUSY_TASKS = 200_000;

	private final boolean busy;

	private final int others;

	private LatenessMeasure(String key, String title, boolean busy, int others) {
		super(key, title, new Effort(0, 3, 20, Set.of(OwnMeasure.OURS)));
		this.busy = busy;
		this.others = others;
	}

	/**
	 * Let 50 tasks a second become due.
	 * @param key of the measure
	 * @param title of the measure
	 * @param others how many others wait, due an hour later
	 * @return the measure
	 */
	static LatenessMeasure calm(String key, String title, int others) {
		return new LatenessMeasure(key, title, false, others);
	}

	/**
	 * Let tasks become due at half of the rate at which the system was found to drain.
	 * @param key of the measure
	 * @param title of the measure
	 * @return the measure
	 */
	static LatenessMeasure busy(String key, String title) {
		return new LatenessMeasure(key, title, true, 0);
	}

	@Override
	boolean isPossible(Session session, Subject subject) {
		return !subject.type().has(Trait.NO_CONSUMER) && !(this.busy && session.wasStopped("drain", subject.key()));
	}

	@Override
	Sample measure(Session session, Subject subject) {
		double rate = CALM_RATE;
		int count = session.size(CALM_TASKS);
		if (this.busy) {
			rate = drainRate(session, subject) / 2;
			count = (int) Math.min(rate * BUSY_SECONDS, session.size(BUSY_TASKS));
		}
		Drain.Outcome outcome = new Drain(subject, count, rate, (this.others > 0) ? session.size(this.others) : 0)
			.run();
		subject.reset();
		double[] lateness = outcome.lateness();
		Sample sample = Sample.of("p50", percentile(lateness, 50))
			.with("p99", percentile(lateness, 99))
			.with("max", percentile(lateness, 100))
			.with(outcome.ledger().counts());
		if (this.busy) {
			sample = sample.with("rate", rate);
		}
		return outcome.complete() ? sample : sample.asStopped();
	}

	private double drainRate(Session session, Subject subject) {
		return session.median("drain", subject.key(), "rate")
			.orElseGet(() -> new Drain(subject, session.size(50_000), Double.POSITIVE_INFINITY, 0).run().rate());
	}

	/**
	 * The value that so many of a hundred values do not exceed.
	 * @param ascending the values in ascending order
	 * @param percent of a hundred
	 * @return the value, not a number if there is none
	 */
	static double percentile(double[] ascending, int percent) {
		if (ascending.length == 0) {
			return Double.NaN;
		}
		int rank = (int) Math.ceil(percent / 100.0 * ascending.length);
		return ascending[Math.max(0, rank - 1)];
	}

}
