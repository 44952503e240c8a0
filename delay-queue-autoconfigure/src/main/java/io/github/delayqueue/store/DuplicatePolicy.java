package io.github.delayqueue.store;

/**
 * What scheduling does with an id that is known, in whatever state.
 */
public enum DuplicatePolicy {

	/**
	 * The new task takes the place of the old one; a delivery under way becomes stale.
	 */
	REPLACE,

	/** The old task stays as it is. */
	REJECT

}
