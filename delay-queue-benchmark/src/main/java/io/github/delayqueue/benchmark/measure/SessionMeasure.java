package io.github.delayqueue.benchmark.measure;

/**
 * A measure that is made once in a run, with processes as it needs them.
 */
public abstract class SessionMeasure extends NamedMeasure {

	/**
	 * Name it.
	 * @param key name in options and files
	 * @param title what is measured, for headings
	 */
	SessionMeasure(String key, String title) {
		super(key, title);
	}

	/**
	 * Measure, and record the results.
	 * @param session the run
	 */
	public abstract void run(Session session);

}
