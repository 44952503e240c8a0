package io.github.delayqueue.producer;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskPriority;

/** The content of a task that was found or claimed. */
public interface TaskView {

	/** The queue it was scheduled in. */
	String queue();

	/** Its id, unique in the queue. */
	String id();

	/** Its priority. */
	TaskPriority priority();

	/** How often a lease on it has run out and was taken over. */
	int leasesLost();

	/** Its headers, possibly empty, not modifiable. */
	Map<String, String> headers();

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
	 * @throws io.github.delayqueue.DelayQueueException if it cannot be converted; a task
	 * that was claimed can still be dead-lettered or released
	 */
	<T> @Nullable T payload(Class<T> type);

	/** As {@link #payload(Class)}, as a generic type. */
	<T> @Nullable T payload(ParameterizedTypeReference<T> type);

}
