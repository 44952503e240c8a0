package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.Set;

/**
 * A measure of one system at a time, repeated on all of them in turn.
 */
abstract class RepeatedMeasure extends NamedMeasure {

	private final Effort effort;

	private boolean durable;

	/**
	 * Plan.
	 * @param key name in options and files
	 * @param title what is measured, for headings
	 * @param effort how often it is repeated
	 */
	RepeatedMeasure(String key, String title, Effort effort) {
		super(key, title);
		this.effort = effort;
	}

	/**
	 * Measure the systems that wait for the disk, instead of those that do not.
	 * @return this measure
	 */
	final RepeatedMeasure amongDurable() {
		this.durable = true;
		return this;
	}

	@Override
	public final void run(Session session) {
		List<Subject> subjects = this.durable ? session.durableSubjects() : session.subjects();
		new Repetitions(session, key(), this.effort).run(
				subjects.stream().filter((subject) -> isPossible(session, subject)).toList(),
				(subject) -> measure(session, subject));
		if (this.durable) {
			// they look at their tables now and then, which is not to disturb what comes
			// next
			subjects.forEach(Subject::close);
		}
	}

	/**
	 * Whether a system can be measured.
	 * @param session the run
	 * @param subject the system
	 * @return whether to measure it
	 */
	abstract boolean isPossible(Session session, Subject subject);

	/**
	 * Measure a system once.
	 * @param session the run
	 * @param subject the system
	 * @return what came out
	 */
	abstract Sample measure(Session session, Subject subject);

	/**
	 * How often a measure is repeated.
	 *
	 * @param warmUps how many rounds do not count
	 * @param count how many do
	 * @param secondsPerSystem after what time a system is not measured once more
	 * @param exempt keys of the systems to which this does not apply
	 */
	record Effort(int warmUps, int count, double secondsPerSystem, Set<String> exempt) {

		/** The delay queue itself and what it is compared with. */
		private static final Set<String> COMPARED = Set.of("ours", "loop", "bare", "journal", "db-scheduler");

		Effort(int warmUps, int count, double secondsPerSystem) {
			this(warmUps, count, secondsPerSystem, COMPARED);
		}

		/**
		 * What is enough for a smoke test.
		 * @return a single round
		 */
		Effort quick() {
			return new Effort(0, 1, this.secondsPerSystem, this.exempt);
		}

	}

}
