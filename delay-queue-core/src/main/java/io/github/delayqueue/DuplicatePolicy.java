package io.github.delayqueue;

/**
 * What scheduling does with an id that is known, in whatever state.
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
	 * none; else the old task stays as it is, in whatever state. A new task that has no
	 * generation takes no place. Not for requests of users: their tasks have no
	 * generation.
	 */
	NEWER

}
