package io.github.delayqueue.listener;

import java.util.List;
import java.util.function.Consumer;

import io.github.delayqueue.store.ClaimedRecord;

/**
 * Decides which claims of a container may bring a task that would die with the next lease
 * it loses. A part may have one; without it, all may. Thread-safe.
 */
public interface ClaimGuard {

	/**
	 * A claim begins, whose end has to be told; says whether it may bring one of them.
	 */
	boolean begin();

	/**
	 * A claim has ended.
	 * @param takes whether it might bring one of these tasks
	 * @param tasks what it has brought, not handed on yet
	 * @param left whether it has left one where it is
	 * @param claimAgain to be run when another claim is worth making
	 */
	void claimed(boolean takes, List<? extends Held> tasks, boolean left, Runnable claimAgain);

	/** A task that a container holds. */
	interface Held {

		ClaimedRecord record();

		/**
		 * Be told when its delivery has ended for the store. To be called before it is
		 * handed on.
		 * @param listener is told whether it was handled, and not released
		 */
		void whenSettled(Consumer<Boolean> listener);

	}

}
