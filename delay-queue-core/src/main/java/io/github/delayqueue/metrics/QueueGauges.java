package io.github.delayqueue.metrics;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;

/**
 * Gauges that each queue has besides those of {@link DelayQueueMetrics}. Public for parts
 * that add some. Thread-safe.
 */
@FunctionalInterface
public interface QueueGauges {

	/** The gauges, asked for once for each queue. */
	List<QueueGauge> all();

	/**
	 * A gauge of a queue.
	 *
	 * @param name of the meter, the same for all that differ by their tags only
	 * @param description what it says
	 * @param tags names and values by turns, besides {@code queue}
	 * @param value what it says now
	 */
	record QueueGauge(String name, String description, List<String> tags, Value value) {

	}

	@FunctionalInterface
	interface Value {

		/**
		 * Tell the value. Not called while the store does not answer.
		 * @param queue of which queue
		 * @param stats its figures, a few seconds old at most; {@code null} if they are
		 * refused
		 * @return the value, {@code NaN} if it is not known
		 * @throws io.github.delayqueue.DelayQueueException as {@code NaN}; a store that
		 * cannot be reached is left alone for a while
		 */
		double of(String queue, @Nullable QueueStats stats);

	}

}
