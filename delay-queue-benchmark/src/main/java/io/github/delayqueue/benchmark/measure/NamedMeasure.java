package io.github.delayqueue.benchmark.measure;

/**
 * A measure that is told its names.
 */
abstract class NamedMeasure implements Measure {

	private final String key;

	private final String title;

	/**
	 * Name it.
	 * @param key name in options and files
	 * @param title what is measured, for headings
	 */
	NamedMeasure(String key, String title) {
		this.key = key;
		this.title = title;
	}

	@Override
	public final String key() {
		return this.key;
	}

	@Override
	public final String title() {
		return this.title;
	}

}
