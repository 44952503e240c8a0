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
 * And {@code delay.queue.workers.stuck}: how many of those that run ignore their
 * time-out.
 */
final class WorkerGauges {

	private WorkerGauges() {
	}

	static void register(String queue, Supplier<DelayQueueListenerContainerRegistry> containers,
			MeterRegistry registry) {
		gauge("delay.queue.workers", queue, containers, ContainerStatus::active)
			.description("Workers for handlers of the queue, on this instance")
			.tag("state", "busy")
			.register(registry);
		gauge("delay.queue.workers", queue, containers,
				(status) -> status.running() ? Math.max(0, status.concurrency() - status.active()) : 0)
			.description("Workers for handlers of the queue, on this instance")
			.tag("state", "free")
			.register(registry);
		gauge("delay.queue.workers.stuck", queue, containers, ContainerStatus::stuck)
			.description("Workers kept by handlers that took no notice of the interrupt at their timeout")
			.register(registry);
	}

	private static Gauge.Builder<Supplier<DelayQueueListenerContainerRegistry>> gauge(String name, String queue,
			Supplier<DelayQueueListenerContainerRegistry> containers, ToIntFunction<ContainerStatus> figure) {
		return Gauge
			.builder(name, containers,
					(all) -> all.get()
						.getContainers()
						.stream()
						.filter((container) -> container.getQueue().equals(queue))
						.map(DelayQueueListenerContainer::status)
						.mapToInt(figure)
						.sum())
			.tag("queue", queue);
	}

}
