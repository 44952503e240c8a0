package io.github.delayqueue.store;

import io.github.delayqueue.DuplicatePolicy;

/**
 * Which tasks {@link PartitionStore#displace} looks for, in whatever state they are, and
 * whether it forgets them.
 */
public enum Displacement {

	/** Look for tasks of the same ids. */
	FIND_ANY,

	/** Forget tasks of the same ids. */
	FORGET_ANY,

	/** Look for those because of which {@link DuplicatePolicy#NEWER} would reject. */
	FIND_NEWER,

	/** Forget those whose generation is lower, or that have none. */
	FORGET_OLDER

}
