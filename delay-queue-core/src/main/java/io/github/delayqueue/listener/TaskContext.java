package io.github.delayqueue.listener;

import java.time.Duration;

/**
 * The delivery that a handler is working on: to extend its lease, and to ask about it.
 * Thread-safe; of no use after the handler has ended.
 */
public interface TaskContext {

	/**
	 * Let the lease last for the given time from now. Needed with
	 * {@code autoRenewLease = false}; otherwise the lease is extended without being
	 * asked.
	 * @param leaseDuration from now, how long the lease is to last, at least a
	 * millisecond
	 * @return whether the delivery still held the task; {@code false} means that it may
	 * have been delivered elsewhere
	 * @throws io.github.delayqueue.DelayQueueException if the store cannot be reached, or
	 * if the time is shorter than a millisecond, as it is once a deadline has passed
	 */
	boolean extend(Duration leaseDuration);

	/**
	 * Whether this delivery may have lost the task. It has when the store says so: the
	 * lease has been taken over, or the task was replaced or cancelled, and the handler's
	 * result has no effect. It may have, once the lease has run out by the monotonic
	 * clock of this instance. Either it could not be extended, or the process stood
	 * still. An extension that succeeds all the same takes that back. Asks nobody.
	 * @return whether the lease is lost or has run out
	 */
	boolean isLeaseLost();

	/**
	 * Whether the task was taken from this delivery: it was cancelled, replaced or
	 * cleared or, once its lease had run out, claimed by another consumer. The handler's
	 * result has no effect then. Not if the handler itself has scheduled its id anew.
	 * Asks nobody. It is usually known within a second, because the store tells those who
	 * have tasks in flight. If that message is lost, it is known with the next extension,
	 * after up to a third of the lease duration.
	 */
	default boolean isCancelled() {
		return isLeaseLost();
	}

	/** How often it is attempted at most; {@link Integer#MAX_VALUE} without a bound. */
	int maxAttempts();

	/** Whether the task dies if this attempt fails. */
	boolean isLastAttempt();

}
