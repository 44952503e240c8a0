package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.List;

/**
 * The part of a template that claims tasks by hand. The template has checked the limit.
 * For wiring. Thread-safe.
 */
public interface TaskPoller extends ProducerPart {

	/** As {@link DelayQueueOperations#poll(String, int, Duration)} does. */
	List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration);

	/** As {@link DelayQueueOperations#poll(String, int, Duration, Duration)} does. */
	List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration, Duration maxWait)
			throws InterruptedException;

}
