package io.github.delayqueue.store;

/**
 * A rule of a feature beside the kernel for the claims of a queue. It is the value of an
 * option, goes with the terms of each claim, and its file stands in the script. For
 * extension. Immutable; a queue has one of each class at most.
 */
public interface ClaimPart {

	/**
	 * The name of its option, with {@code _} in place of each {@code -}. The file of this
	 * name beside the class, which ends with {@code .lua}, is its part of the script.
	 */
	String name();

	/** The argument for its part of the script. */
	String argument();

	/** The same for one of several sources, of which each gets its share. */
	ClaimPart share(int number, int sources);

	/** Whether a task that waits beside a handler keeps others from being claimed. */
	default boolean countsInFlight() {
		return false;
	}

}
