package io.github.delayqueue.store.memory;

import java.util.List;

import io.github.delayqueue.store.StoredTask;

/**
 * Which of the tasks that are due a claim takes, of a queue that a part keeps in another
 * way. One for each queue, used by one thread at a time.
 */
@FunctionalInterface
public interface DueOrder {

	/**
	 * Choose tasks.
	 * @param due what is due, by priority and due time
	 * @param inFlight what is in flight, and after this claim still will be
	 * @param limit how many at most. If fewer are chosen, the others have to wait for a
	 * delivery to end
	 * @return what is to be taken, in this order
	 */
	List<StoredTask> choose(List<StoredTask> due, List<StoredTask> inFlight, int limit);

}
