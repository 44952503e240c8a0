package io.github.delayqueue.metrics;

import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

/**
 * The gauges {@code delay.queue.workers}: how many handlers of a queue run on this
 * instance, and how many more could. Listeners that are stopped have none that are free.
 */
final class WorkerGauges {

	private WorkerGauges() {
	}

	static void register(String queue, Supplier<DelayQueueListenerContainerRegistry> containers,
			MeterRegistry registry) {
		register(queue, "busy", containers, ContainerStatus::active, registry);
		register(queue, "free", containers,
				(status) -> status.running() ? Math.max(0, status.concurrency() - status.active()) : 0, registry);
	}

	private static void register(String queue, String state, Supplier<DelayQueueListenerContainerRegistry> containers,
			ToIntFunction<ContainerStatus> figure, MeterRegistry registry) {
		Gauge
			.builder("delay.queue.workers", containers,
					(all) -> all.get()
						.getContainers()
						.stream()
						.filter((container) -> container.getQueue().equals(queue))
						.map(DelayQueueListenerContainer::status)
						.mapToInt(figure)
						.sum())
			.description("Workers for handlers of the queue, on this instance")
			.tag("queue", queue)
			.tag("state", state)
			.register(registry);
	}

}
