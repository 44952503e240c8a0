package io.github.delayqueue.benchmark.measure;

import java.util.function.Supplier;

import io.github.delayqueue.benchmark.Servers;

/**
 * A measure of the delay queue only, without a journal or with one.
 */
abstract class OwnMeasure extends SessionMeasure {

	/** Key of the delay queue. */
	static final String OURS = "ours";

	/** Key of the delay queue with a journal. */
	static final String JOURNAL = "journal";

	private final String system;

	/**
	 * Name it.
	 * @param key name in options and files
	 * @param title what is measured, for headings
	 */
	OwnMeasure(String key, String title) {
		this(key, title, OURS);
	}

	/**
	 * Name it.
	 * @param key name in options and files
	 * @param title what is measured, for headings
	 * @param system key of the system
	 */
	OwnMeasure(String key, String title, String system) {
		super(key, title);
		this.system = system;
	}

	@Override
	public final void run(Session session) {
		session.systems().stream().filter((type) -> type.key().equals(this.system)).forEach((type) -> {
			Servers servers = new Servers(session.redis().host(), session.redis().port(), session.postgresUrl());
			try (Subject subject = new Subject(type, servers, Subject.LEAD_MILLIS)) {
				run(session, subject);
			}
		});
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
	final void record(Session session, String key, Supplier<Result> measurement) {
		try {
			session.record(measurement.get());
		}
		catch (RuntimeException ex) {
			session.fail(key, this.system, ex);
		}
	}

}
