package io.github.delayqueue.roles;

/** The role of a store that removes tasks that are over. Thread-safe. */
public interface TaskRetention {

	/**
	 * Tend a source, when a claim has said that it is time to: remove tasks that are over
	 * for longer than they are to be kept, the longest first, at most 1000 of each kind.
	 * At any other time it does no harm.
	 * @param source the queue, or a source of it
	 * @return what was removed, and whether more is left
	 */
	Tended tend(String source, Retention retention);

}
