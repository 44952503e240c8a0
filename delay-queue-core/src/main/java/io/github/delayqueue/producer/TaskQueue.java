package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.github.delayqueue.QueueStats;

/**
 * One queue, with the type of its payloads. Made by
 * {@link DelayQueueOperations#queue(String, Class)}, which it passes all calls on to:
 * errors, replicas and transactions are the same. Thread-safe; costs nothing, and creates
 * nothing in the store.
 * <p>
 * The id comes first and is never optional, so that no text is taken for the payload by
 * mistake. For a generated one use {@link #schedule(Consumer)}.
 *
 * @param <T> type of the payload, as handlers declare it
 */
public interface TaskQueue<T> {

	/** The name of the queue. */
	String name();

	/**
	 * Schedule a task, in place of any other of that id.
	 * @param taskId its id: up to 256 bytes of UTF-8 without control characters
	 * @param payload what the handler gets, written as JSON
	 * @param delay after what time it is due
	 */
	ScheduleResult schedule(String taskId, T payload, Duration delay);

	/** Schedule a task at an instant, in place of any other of that id. */
	ScheduleResult schedule(String taskId, T payload, Instant dueAt);

	/** Schedule a task at a date and time in a zone, in place of any other of that id. */
	default ScheduleResult schedule(String taskId, T payload, ZonedDateTime dueAt) {
		return schedule(taskId, payload, dueAt.toInstant());
	}

	/**
	 * Schedule a task with all possible settings.
	 * @param task sets what is to be set, as in {@code (task) ->
	 * task.payload(order).priority(TaskPriority.HIGH)}
	 */
	ScheduleResult schedule(Consumer<TaskRequest.Builder> task);

	/**
	 * Remove a task that is scheduled or in flight, as
	 * {@link DelayQueueOperations#cancel} does.
	 * @return whether there was such a task
	 */
	boolean cancel(String taskId);

	/**
	 * Move the due time of a scheduled task to a time from now.
	 * @return whether there was such a task and it is scheduled
	 */
	boolean reschedule(String taskId, Duration delay);

	/** As {@link #reschedule(String, Duration)} does, to an instant. */
	boolean reschedule(String taskId, Instant dueAt);

	/** As {@link #reschedule(String, Duration)} does, to a date and time in a zone. */
	default boolean reschedule(String taskId, ZonedDateTime dueAt) {
		return reschedule(taskId, dueAt.toInstant());
	}

	/** Look up a task: as it is now, empty if there is none. */
	Optional<TaskDetails> find(String taskId);

	/** The figures of the queue. */
	QueueStats stats();

	/**
	 * Claim due tasks by hand, as
	 * {@link DelayQueueOperations#poll(String, int, Duration)} does.
	 * @param limit how many at most, 1 to 500
	 * @param leaseDuration at least a millisecond
	 */
	List<ClaimedTask> poll(int limit, Duration leaseDuration);

	/**
	 * Claim due tasks by hand, and wait for the first, as
	 * {@link DelayQueueOperations#poll(String, int, Duration, Duration)} does.
	 * @param limit how many at most, 1 to 500
	 * @param leaseDuration at least a millisecond
	 * @param maxWait how long to wait at most, zero for not at all
	 * @throws InterruptedException if the thread is interrupted
	 */
	List<ClaimedTask> poll(int limit, Duration leaseDuration, Duration maxWait) throws InterruptedException;

}
