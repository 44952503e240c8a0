package io.github.delayqueue.benchmark.measure;

/**
 * Something to be measured.
 */
public interface Measure {

	/**
	 * Name in options and files.
	 * @return the key
	 */
	String key();

	/**
	 * What is measured, for headings.
	 * @return a few words
	 */
	String title();

}
