package io.github.delayqueue.races;

/**
 * Something that a few threads do at the same time, once, and what has to be true
 * afterwards. A class of its own: the checker prepares what it makes, and nothing that
 * was there before.
 */
public interface Race extends Runnable {

	/** How many times as many orders are tried, because one takes little time. */
	default int share() {
		return 1;
	}

}
