package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;

/**
 * A task claimed by hand. The holder settles it once, with one of {@link #complete()},
 * {@link #runAgain(Duration)}, {@link #retry(Duration)}, {@link #deadLetter(String)} and
 * {@link #release()}, before its lease runs out. Each returns whether it was applied:
 * {@code false} means that the task had been claimed again, replaced, cancelled or
 * settled. Thread-safe.
 * <p>
 * Each throws {@link io.github.delayqueue.DelayQueueException} if the store cannot be
 * reached or refuses; it may or may not have been applied then, and can be repeated. In a
 * queue with a journal that is also so while a transaction that has cancelled, moved or
 * replaced the task stays open.
 */
public interface ClaimedTask extends TaskView {

	/** When this delivery was due, by the clock of the store. */
	Instant dueAt();

	/**
	 * Of a recurring task, the time of this run, by the clock of the store, which is the
	 * same in all attempts at it. Of a task that is run once, {@link #dueAt()}.
	 */
	Instant runAt();

	/** Number of this attempt, starting at 1: failures + 1. */
	int attempt();

	/** The task is handled. A recurring one is scheduled for its next time. */
	boolean complete();

	/**
	 * The task is handled, and is to be delivered once more after a delay as if it was
	 * new: without the attempts, lost leases and failures it has had. A recurring one is
	 * run at its next time if that comes first.
	 */
	boolean runAgain(Duration delay);

	/**
	 * The task failed and is to be delivered again after a delay. Bounds on attempts are
	 * the caller's concern.
	 */
	boolean retry(Duration delay);

	/**
	 * The task is given up, a recurring one for good; counts as a failure.
	 * @param reason why, kept with the dead letter
	 */
	boolean deadLetter(String reason);

	/** Release the task, as if it had not been claimed. */
	boolean release();

	/**
	 * Let the lease last for the given time from now.
	 * @param leaseDuration at least a millisecond
	 * @return whether it was applied
	 */
	boolean extend(Duration leaseDuration);

}
