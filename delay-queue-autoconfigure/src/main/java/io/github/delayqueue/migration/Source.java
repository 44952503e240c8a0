package io.github.delayqueue.migration;

import java.util.List;

/**
 * How something that delays is laid out in Redis.
 */
interface Source {

	/**
	 * What it is called, which is also what its keys have in common.
	 * @return the name
	 */
	String name();

	/**
	 * Where its entries are.
	 * @return the places, in the order in which they are to be emptied
	 */
	List<Place> places();

	/**
	 * What an entry holds.
	 * @param member the entry as it lies in Redis
	 * @param due whether it lies among those that are due
	 * @return what the application has put there
	 * @throws UnreadableEntryException if the entry is none of such a source
	 */
	byte[] value(byte[] member, boolean due);

	/**
	 * The unit of due times.
	 * @return how many milliseconds one of a score is
	 */
	long millisPerScore();

}
