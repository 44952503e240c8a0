package io.github.delayqueue.event;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;

/**
 * Is told what happens to tasks in this application. For extension: every bean of this
 * type is called; metrics and tracing are such beans.
 * <p>
 * <b>Exception safety</b>: what a listener throws is logged and goes no further; neither
 * the task nor the other listeners are affected.
 * <p>
 * <b>Threading</b>: called on the threads of producers, claims, handlers and settlements,
 * many at a time. A listener must be thread-safe and must not block: there are few
 * threads for claims and settlements, and what comes behind waits for it, be it of
 * another queue.
 * <p>
 * Events tell what this instance did, and only once the store has confirmed it. None is
 * repeated by another instance.
 */
public interface TaskEventListener {

	/**
	 * Tasks were scheduled, or could not be.
	 * @param accepted how many were stored
	 * @param took how long the call took
	 * @param error why it failed, {@code null} if it did not; tasks that are stored but
	 * on too few replicas are accepted with an error
	 */
	default void onSchedule(String queue, int accepted, Duration took, @Nullable Throwable error) {
	}

	/**
	 * A handler is about to be called.
	 * @param lateness for how long the task has been due, by the store's clock
	 */
	default void onStart(String queue, String taskId, Duration lateness) {
	}

	/**
	 * A delivery has ended and the store knows it.
	 * @param outcome how it ended
	 * @param took how long the handler ran, zero if it was not called
	 * @param failure what went wrong, {@code null} for a success
	 */
	default void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
	}

	/**
	 * A task was claimed whose lease another delivery had lost.
	 * @param leasesLost how often that has happened to it
	 */
	default void onLeaseLost(String queue, String taskId, int leasesLost) {
	}

	/**
	 * An instance is gone, and its leases have been ended: its tasks are claimed by
	 * others, like any whose lease has run out.
	 * @param instance which one, for people
	 * @param tasks how many it had in flight
	 */
	default void onTakeOver(String queue, String instance, int tasks) {
	}

	/** Dead letters were removed because a bound of the dead letters says so. */
	default void onDelete(String queue, List<String> taskIds) {
	}

	/** Ids were found in an index without a record of the task; they are dead now. */
	default void onOrphan(String queue, List<String> taskIds) {
	}

	/**
	 * A claim was answered.
	 * @param tasks how many tasks it brought, perhaps none
	 */
	default void onClaim(String queue, int tasks) {
	}

	/** A consumer could not reach the store, or the store refused. */
	default void onPollError(String queue, Throwable error) {
	}

	/**
	 * Tasks of a queue with a journal were given to the store again, which had lost them.
	 * @param tasks how many the store did not have
	 * @param took how long it took since the loss was noticed
	 */
	default void onRestore(String queue, long tasks, Duration took) {
	}

}
