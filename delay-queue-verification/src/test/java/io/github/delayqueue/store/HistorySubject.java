package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;

/**
 * A store that lives through histories, one after the other, and can be looked into.
 * Public for the packages of the stores.
 */
public interface HistorySubject extends AutoCloseable {

	/**
	 * Begin a history: with a queue that has nothing, not even totals.
	 * @return the store that is to live through it
	 */
	SourceStore begin();

	/**
	 * The queue of the history.
	 * @return its name, always the same
	 */
	String queue();

	/**
	 * Look into the store, and check its invariant.
	 * @return all that it holds of the queue
	 * @throws AssertionError if the invariant is violated
	 */
	QueueImage look();

	/**
	 * The wake messages that were published before the last {@link #look()}.
	 * @return what they said, each message only once
	 */
	List<Duration> wakes();

	/**
	 * Look at what a history leaves behind beside the queue.
	 * @throws AssertionError if there is something
	 */
	default void end() {
	}

	/**
	 * Hear what the other store answered, before the same operation: some things are up
	 * to it.
	 * @param answer the answer
	 */
	default void hear(Object answer) {
	}

	@Override
	default void close() {
	}

}
