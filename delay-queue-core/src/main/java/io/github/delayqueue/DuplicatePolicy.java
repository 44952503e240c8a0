package io.github.delayqueue;

/**
 * Says what scheduling does if the id is known, in any state.
 */
public enum DuplicatePolicy {

	/**
	 * The new task takes the place of the old one; a delivery under way becomes stale.
	 */
	REPLACE,

	/** The old task stays as it is. */
	REJECT,

	/**
	 * The new task takes the place of one whose
	 * {@linkplain io.github.delayqueue.store.Generation generation} is lower, or that has
	 * none; else the old task stays as it is, in whatever state. A new task without a
	 * generation replaces nothing. Not for requests of users: their tasks have no
	 * generation.
	 */
	NEWER

}
