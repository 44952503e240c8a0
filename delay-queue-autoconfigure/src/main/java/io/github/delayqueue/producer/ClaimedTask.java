package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.TaskPriority;

/**
 * A task claimed by hand. The holder settles it once, with one of {@link #complete()},
 * {@link #retry(Duration)}, {@link #bury(String)} and {@link #release()}, before its
 * lease runs out. Each answers whether it was applied: {@code false} means that the task
 * had been claimed again, replaced, cancelled or settled. Thread-safe.
 */
public interface ClaimedTask {

	String queue();

	String id();

	Instant dueAt();

	TaskPriority priority();

	/**
	 * Number of this attempt, starting at 1.
	 * @return failures + 1
	 */
	int attempt();

	/**
	 * How often a lease on it has run out and was taken over.
	 * @return the number
	 */
	int expiries();

	Map<String, String> headers();

	@Nullable String payloadJson();

	<T> @Nullable T payload(Class<T> type);

	<T> @Nullable T payload(ParameterizedTypeReference<T> type);

	/**
	 * The task is handled.
	 * @return whether it was applied
	 */
	boolean complete();

	/**
	 * The task failed and is to be delivered again. Bounds on attempts are the caller's
	 * concern.
	 * @param delay after what time
	 * @return whether it was applied
	 */
	boolean retry(Duration delay);

	/**
	 * The task is given up.
	 * @param reason why, kept with the dead task
	 * @return whether it was applied
	 */
	boolean bury(String reason);

	/**
	 * Hand the task back as if it had not been claimed.
	 * @return whether it was applied
	 */
	boolean release();

	/**
	 * Let the lease last for the given time from now.
	 * @param ttr from now, how long it is to last
	 * @return whether it was applied
	 */
	boolean extend(Duration ttr);

}
