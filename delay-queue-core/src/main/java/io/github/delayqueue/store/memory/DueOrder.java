package io.github.delayqueue.store.memory;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

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
	 * @param failed what has failed and is not due yet
	 * @param inFlight what is in flight, and after this claim still will be
	 * @param limit how many at most. If fewer are chosen, the others have to wait for a
	 * delivery to end, or for a time
	 * @param now the time of the claim
	 * @return what is to be taken, in this order
	 */
	List<StoredTask> choose(List<StoredTask> due, List<StoredTask> failed, List<StoredTask> inFlight, int limit,
			Instant now);

	/**
	 * Hear what was taken in the end.
	 * @param tasks the first of what was chosen, and tasks whose leases had run out
	 * @param now the time of the claim
	 */
	default void taken(List<StoredTask> tasks, Instant now) {
	}

	/**
	 * When more can be chosen of what was due, {@code null} if no time but only the end
	 * of a delivery helps.
	 */
	default @Nullable Instant next() {
		return null;
	}

}
