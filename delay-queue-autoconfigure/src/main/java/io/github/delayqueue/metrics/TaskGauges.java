package io.github.delayqueue.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;

/**
 * The gauges {@code delay.queue.tasks}. As in {@link QueueStats}, {@code due} and
 * {@code retrying} are parts of {@code scheduled}: the states do not add up to a number
 * of tasks.
 */
class TaskGauges {

	private final StatsCache stats;

	private final Set<String> registered = ConcurrentHashMap.newKeySet();

	TaskGauges(StatsCache stats) {
		this.stats = stats;
	}

	/**
	 * Register the gauges of a queue. Repeating it is harmless.
	 * @param queue the queue
	 * @param registry where
	 */
	void register(String queue, MeterRegistry registry) {
		if (!this.registered.add(queue)) {
			return;
		}
		register(queue, "scheduled", QueueStats::scheduled, registry);
		register(queue, "due", QueueStats::due, registry);
		register(queue, "in_flight", QueueStats::inFlight, registry);
		register(queue, "retrying", QueueStats::retrying, registry);
		register(queue, "dead", QueueStats::dead, registry);
		register(queue, "completed", QueueStats::completed, registry);
	}

	private void register(String queue, String state, ToLongFunction<QueueStats> figure, MeterRegistry registry) {
		Gauge.builder("delay.queue.tasks", this.stats, (stats) -> value(stats.get(queue), figure))
			.description("Tasks of the queue, over all instances")
			.tag("queue", queue)
			.tag("state", state)
			.register(registry);
	}

	private static double value(@Nullable QueueStats stats, ToLongFunction<QueueStats> figure) {
		return (stats != null) ? figure.applyAsLong(stats) : Double.NaN;
	}

}
