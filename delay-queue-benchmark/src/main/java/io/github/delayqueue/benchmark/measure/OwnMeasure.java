package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.function.Supplier;

/**
 * A measure of the delay queue only.
 */
abstract class OwnMeasure extends NamedMeasure {

	/** Key of the delay queue. */
	static final String OURS = "ours";

	/**
	 * Name it.
	 * @param key name in options and files
	 * @param title what is measured, for headings
	 */
	OwnMeasure(String key, String title) {
		super(key, title);
	}

	@Override
	public final void run(Session session) {
		session.subjects()
			.stream()
			.filter((subject) -> subject.key().equals(OURS))
			.forEach((subject) -> run(session, subject));
	}

	/**
	 * Measure the delay queue if it is in the run, and record what comes out.
	 * @param session the run
	 * @param subject the delay queue
	 */
	abstract void run(Session session, Subject subject);

	/**
	 * Measure once, and record what comes out. A failure is recorded, too, and does not
	 * end the run.
	 * @param session the run
	 * @param key under what name
	 * @param measurement the measurement
	 */
	static void record(Session session, String key, Supplier<Result> measurement) {
		Result result;
		try {
			result = measurement.get();
			result.samples()
				.forEach((sample) -> session.say("  %-14s %s %s", key, Repetitions.text(sample), sample.counts()));
		}
		catch (RuntimeException ex) {
			result = new Result(key, OURS, List.of(), session.failed(key, OURS, ex));
		}
		session.record(result);
	}

}
