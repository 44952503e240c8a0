package io.github.delayqueue.producer;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

/**
 * A task as it was found. A snapshot: thread-safe and not kept up to date.
 */
public interface TaskDetails {

	/**
	 * The queue it was scheduled in.
	 * @return its name
	 */
	String queue();

	/**
	 * Its id.
	 * @return the id, unique in the queue
	 */
	String id();

	/**
	 * Where it is.
	 * @return its state
	 */
	TaskState state();

	/**
	 * When it is, or for its last delivery was, due.
	 * @return the due time, {@code null} for a dead id without a record
	 */
	@Nullable Instant dueAt();

	/**
	 * What its state says: when it is due (scheduled), when its lease runs out (in
	 * flight), since when it is over (completed, dead).
	 * @return the instant
	 */
	Instant stateAt();

	/**
	 * Its priority.
	 * @return the priority
	 */
	TaskPriority priority();

	/**
	 * How often its handler has failed.
	 * @return the number
	 */
	int failures();

	/**
	 * How often a lease on it has run out and was taken over.
	 * @return the number
	 */
	int leasesLost();

	/**
	 * Its headers.
	 * @return the headers, possibly empty, not modifiable
	 */
	Map<String, String> headers();

	/**
	 * The last failure.
	 * @return the failure, {@code null} if there was none
	 */
	@Nullable TaskFailure lastFailure();

	/**
	 * When it is run again and again.
	 * @return the recurrence, {@code null} if it is run once, or its envelope cannot be
	 * read
	 */
	@Nullable Recurrence recurrence();

	/**
	 * The payload as JSON.
	 * @return the payload, {@code null} if the task has none or its envelope cannot be
	 * read
	 */
	@Nullable String payloadJson();

	/**
	 * The payload; of a task without payload its id.
	 * @param type what to convert it to
	 * @param <T> type of the payload
	 * @return the payload
	 * @throws io.github.delayqueue.DelayQueueException if it cannot be converted
	 */
	<T> @Nullable T payload(Class<T> type);

	/**
	 * The payload; of a task without payload its id.
	 * @param type what to convert it to
	 * @param <T> type of the payload
	 * @return the payload
	 * @throws io.github.delayqueue.DelayQueueException if it cannot be converted
	 */
	<T> @Nullable T payload(ParameterizedTypeReference<T> type);

}
