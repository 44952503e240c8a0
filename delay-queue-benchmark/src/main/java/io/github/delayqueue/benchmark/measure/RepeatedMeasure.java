package io.github.delayqueue.benchmark.measure;

/**
 * A measure of one system at a time, repeated on all of them in turn.
 */
abstract class RepeatedMeasure extends NamedMeasure {

	private final Effort effort;

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

	@Override
	public final void run(Session session) {
		new Repetitions(session, key(), this.effort).run((subject) -> isPossible(session, subject),
				(subject) -> measure(session, subject));
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
	 * @param secondsPerSystem after what time a system is not measured once more; does
	 * not apply to the delay queue itself and what it is compared with
	 */
	record Effort(int warmUps, int count, double secondsPerSystem) {

		/**
		 * What is enough for a smoke test.
		 * @return a single round
		 */
		Effort quick() {
			return new Effort(0, 1, this.secondsPerSystem);
		}

	}

}
