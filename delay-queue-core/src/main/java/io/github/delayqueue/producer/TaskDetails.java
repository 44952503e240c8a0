package io.github.delayqueue.producer;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

/**
 * A task as it was found. A snapshot: thread-safe and not kept up to date.
 */
public interface TaskDetails {

	/** The queue it was scheduled in. */
	String queue();

	/** Its id, unique in the queue. */
	String id();

	/** Its state. */
	TaskState state();

	/**
	 * When it is, or for its last delivery was, due; {@code null} for a dead id without a
	 * record.
	 */
	@Nullable Instant dueAt();

	/**
	 * The time of its state: when it is due (scheduled), when its lease runs out (in
	 * flight), since when it is over (completed, dead).
	 */
	Instant stateAt();

	/** Its priority. */
	TaskPriority priority();

	/** How often its handler has failed. */
	int failures();

	/** How often a lease on it has run out and was taken over. */
	int leasesLost();

	/** Its headers, possibly empty, not modifiable. */
	Map<String, String> headers();

	/**
	 * The last failure, {@code null} if there was none; of a recurring task, if no run
	 * has failed since the last one that went well.
	 */
	@Nullable TaskFailure lastFailure();

	/**
	 * Of a recurring task, the last run that went well; {@code null} if there was none
	 * since it was scheduled, if an earlier version has run it since, and of any other
	 * task.
	 */
	@Nullable CompletedRun lastRun();

	/**
	 * When it is run again and again; {@code null} if it is run once, or its envelope
	 * cannot be read.
	 */
	@Nullable Recurrence recurrence();

	/**
	 * The payload as JSON; {@code null} if the task has none or its envelope cannot be
	 * read.
	 */
	@Nullable String payloadJson();

	/**
	 * The payload; of a task without payload its id.
	 * @throws io.github.delayqueue.DelayQueueException if it cannot be converted
	 */
	<T> @Nullable T payload(Class<T> type);

	/** As {@link #payload(Class)}, as a generic type. */
	<T> @Nullable T payload(ParameterizedTypeReference<T> type);

}
