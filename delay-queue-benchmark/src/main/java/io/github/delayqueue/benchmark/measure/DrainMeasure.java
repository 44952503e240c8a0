package io.github.delayqueue.benchmark.measure;

import java.util.Set;

import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * How many tasks a second a system hands to a handler that does nothing, when all are due
 * at the same instant.
 */
final class DrainMeasure implements Measure {

	/** A system that needs longer to get the others is left out. */
	private static final long FILL_LIMIT_MILLIS = 60_000;

	private final String key;

	private final String title;

	private final int tasks;

	private final int others;

	private final int warmUps;

	private final int repetitions;

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
		this.key = key;
		this.title = title;
		this.tasks = tasks;
		this.others = others;
		this.warmUps = warmUps;
		this.repetitions = repetitions;
		this.only = only;
	}

	@Override
	public String key() {
		return this.key;
	}

	@Override
	public String title() {
		return this.title;
	}

	@Override
	public void run(Session session) {
		int count = session.size(this.tasks);
		int others = session.size(this.others);
		new Repetitions(session, this, this.warmUps, this.repetitions, (this.others > 0) ? 25 : 50).run(
				(subject) -> isPossible(session, subject),
				(subject) -> measure(subject, count, (this.others > 0) ? others : 0));
	}

	private boolean isPossible(Session session, Subject subject) {
		return !subject.type().has(Trait.NO_CONSUMER) && (this.only.isEmpty() || this.only.contains(subject.key()))
				&& !session.wasStopped("drain", subject.key()) && subject.fillMillis(this.others) < FILL_LIMIT_MILLIS;
	}

	private Sample measure(Subject subject, int count, int others) {
		Drain.Outcome outcome = new Drain(subject, count, Double.POSITIVE_INFINITY, others).run();
		subject.reset();
		Sample sample = Sample.of("rate", outcome.rate()).with(outcome.ledger().counts());
		return outcome.complete() ? sample : sample.asStopped();
	}

}
