package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.List;

/**
 * The calls that claim tasks by hand. A {@link ProducerPart} implements them.
 */
public interface TaskPoller {

	/**
	 * Claim due tasks by hand, without a listener. The caller settles each of them before
	 * the time to run is over, or it is delivered again. Does not wait. Tasks that have
	 * expired, or have lost as many leases as they may ({@code retry.max-lease-losses}),
	 * become dead and are not among them. Of those that may lose one more, at most one of
	 * each partition is. Tasks that a later version of the library has written are
	 * released for ten seconds at a time. The caller bounds how often a task may fail.
	 * @param limit how many at most, 1 to 500
	 * @param leaseDuration how long the leases last, at least a millisecond, whatever the
	 * tasks themselves say
	 * @return the tasks, empty if none is due
	 */
	List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration);

	/**
	 * Claim due tasks as {@link #poll(String, int, Duration)} does, and wait for the
	 * first if none is due. A task that is scheduled or becomes due meanwhile is returned
	 * at once. The calling thread waits; no other is kept for it. It asks the store no
	 * more often than a listener does: when the next task becomes due, when a wake
	 * message comes, and each {@code listener.poll-interval}. Do not wait within a
	 * transaction: it would stay open.
	 * <p>
	 * When the application stops, a wait ends without a task, and a later call throws
	 * {@link io.github.delayqueue.DelayQueueException}, so that a loop ends.
	 * @param limit how many at most, 1 to 500
	 * @param leaseDuration from when they are claimed
	 * @param maxWait how long to wait at most: zero, for not at all, to 36500 days
	 * @return the tasks, empty if none has become due in that time
	 * @throws InterruptedException if the thread is interrupted. Tasks that it was just
	 * claiming are delivered again when their leases run out
	 */
	List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration, Duration maxWait)
			throws InterruptedException;

}
