package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskPriority;

/**
 * A task claimed by hand. The holder settles it once, with one of {@link #complete()},
 * {@link #again(Duration)}, {@link #retry(Duration)}, {@link #deadLetter(String)} and
 * {@link #release()}, before its lease runs out. Each returns whether it was applied:
 * {@code false} means that the task had been claimed again, replaced, cancelled or
 * settled. Thread-safe.
 * <p>
 * Each throws {@link io.github.delayqueue.DelayQueueException} if the store cannot be
 * reached or refuses; it may or may not have been applied then, and can be repeated. In a
 * queue with a journal that is also so while a transaction that has cancelled, moved or
 * replaced the task stays open.
 */
public interface ClaimedTask {

	/** The queue it was scheduled in. */
	String queue();

	/** Its id, unique in the queue. */
	String id();

	/** When this delivery was due, by the clock of the store. */
	Instant dueAt();

	/**
	 * Of a recurring task, the time of this run, by the clock of the store, which is the
	 * same in all attempts at it; of a task that is run once, {@link #dueAt()}.
	 */
	Instant runAt();

	/** Its priority. */
	TaskPriority priority();

	/** Number of this attempt, starting at 1: failures + 1. */
	int attempt();

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
	 * @throws io.github.delayqueue.DelayQueueException if it cannot be converted; the
	 * task can still be dead-lettered or released
	 */
	<T> @Nullable T payload(Class<T> type);

	/** As {@link #payload(Class)}, as a generic type. */
	<T> @Nullable T payload(ParameterizedTypeReference<T> type);

	/** The task is handled. A recurring one is scheduled for its next time. */
	boolean complete();

	/**
	 * The task is handled, and is to be delivered once more after a delay as if it was
	 * new: without the attempts, lost leases and failures it has had. A recurring one is
	 * run at its next time if that comes first.
	 */
	boolean again(Duration delay);

	/**
	 * The task failed and is to be delivered again after a delay. Bounds on attempts are
	 * the caller's concern.
	 */
	boolean retry(Duration delay);

	/**
	 * The task is given up, a recurring one for good; counts as a failure.
	 * @param reason why, kept with the dead task
	 */
	boolean deadLetter(String reason);

	/** Hand the task back as if it had not been claimed. */
	boolean release();

	/**
	 * Let the lease last for the given time from now.
	 * @return whether it was applied
	 */
	boolean extend(Duration ttr);

}
