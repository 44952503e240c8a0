package io.github.delayqueue;

/** Says what scheduling does if the id is known, in any state. */
public enum DuplicatePolicy {

	/**
	 * The new task takes the place of the old one; a delivery under way becomes stale.
	 */
	REPLACE,

	/** The old task stays as it is. */
	REJECT

}
