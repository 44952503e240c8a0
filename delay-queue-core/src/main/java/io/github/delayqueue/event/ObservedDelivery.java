package io.github.delayqueue.event;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A call of a handler that is looked at. For wiring; see {@link TaskObserver} for
 * exceptions and threads.
 */
public interface ObservedDelivery {

	/**
	 * The handler, or what follows from its answer, runs on this thread.
	 * @return to be closed when it leaves the thread
	 */
	ObservedScope open();

	/**
	 * The handler has ended, on whatever thread.
	 * @param outcomes what the store is going to be told of the tasks; empty if they are
	 * all released
	 * @param error why the handler failed, {@code null} if it did not
	 */
	void end(Set<DeliveryOutcome> outcomes, @Nullable Throwable error);

}
