package io.github.delayqueue.benchmark.measure;

import java.util.Set;

import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * How many tasks a second a system hands to a handler that does nothing, when all are due
 * at the same instant.
 */
final class DrainMeasure extends RepeatedMeasure {

	/** A system that needs longer to get the others is left out. */
	private static final long FILL_LIMIT_MILLIS = 45_000;

	private final int tasks;

	private final int others;

	private final Set<String> only;

	/**
	 * Describe.
	 * @param key of the measure
	 * @param title of the measure
	 * @param tasks how many are due
	 * @param others how many others wait, due an hour later
	 * @param warmUps how many repetitions do not count
	 * @param repetitions how many count
	 * @param only which systems, none for all
	 */
	DrainMeasure(String key, String title, int tasks, int others, int warmUps, int repetitions, Set<String> only) {
		super(key, title, new Effort(warmUps, repetitions, (others > 0) ? 15 : 20));
		this.tasks = tasks;
		this.others = others;
		this.only = only;
	}

	@Override
	boolean isPossible(Session session, Subject subject) {
		return !subject.type().has(Trait.NO_CONSUMER) && (this.only.isEmpty() || this.only.contains(subject.key()))
				&& !session.wasStopped("drain", subject.key()) && subject.fillMillis(this.others) < FILL_LIMIT_MILLIS;
	}

	@Override
	Sample measure(Session session, Subject subject) {
		int others = (this.others > 0) ? session.size(this.others) : 0;
		Drain.Outcome outcome = new Drain(subject, session.size(this.tasks), Double.POSITIVE_INFINITY, others).run();
		subject.reset();
		Sample sample = Sample.of("rate", outcome.rate()).with(outcome.ledger().counts());
		return outcome.complete() ? sample : sample.asStopped();
	}

}
