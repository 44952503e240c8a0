package io.github.delayqueue.store;

import io.github.delayqueue.DuplicatePolicy;

/** Says whether a new task takes the place of another one of its id, in any state. */
public enum Replacement {

	/** It does; a delivery under way becomes stale. */
	REPLACE,

	/** It does not: the old task stays as it is. */
	REJECT,

	/**
	 * It does if the generation of the old task is lower, or if that has none; else the
	 * old task stays as it is. A new task without a generation replaces nothing.
	 */
	NEWER;

	/** The one for a policy of a request. */
	public static Replacement of(DuplicatePolicy policy) {
		return (policy == DuplicatePolicy.REPLACE) ? REPLACE : REJECT;
	}

}
