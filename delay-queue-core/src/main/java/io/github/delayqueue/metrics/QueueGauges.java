package io.github.delayqueue.metrics;

import java.util.List;
import java.util.function.ToDoubleBiFunction;

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
	 * @param value what it says now, {@code NaN} if that is not known, of a queue and its
	 * figures: a few seconds old at most, {@code null} if they are refused. Not called
	 * while the store does not answer. A {@code DelayQueueException} is as {@code NaN}; a
	 * store that cannot be reached is left alone for a while
	 */
	record QueueGauge(String name, String description, List<String> tags,
			ToDoubleBiFunction<String, @Nullable QueueStats> value) {

	}

}
