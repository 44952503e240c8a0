package io.github.delayqueue.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.store.TaskStore;

/**
 * {@code /actuator/delayqueue}: sizes and totals of queues, true over all instances, with
 * the listeners of this instance. Public for applications that expose it in their own
 * way. Thread-safe.
 */
@Endpoint(id = "delayqueue", defaultAccess = Access.READ_ONLY)
public class DelayQueueEndpoint {

	private final TaskStore store;

	private final DelayQueueListenerContainerRegistry registry;

	public DelayQueueEndpoint(TaskStore store, DelayQueueListenerContainerRegistry registry) {
		this.store = store;
		this.registry = registry;
	}

	/**
	 * All queues that the store knows or this instance consumes. The store is asked once
	 * for the names and once for each queue.
	 * @return the queues
	 * @throws io.github.delayqueue.DelayQueueException if the store cannot be reached
	 */
	@ReadOperation
	public QueuesDescriptor queues() {
		Map<String, QueueDescriptor> queues = new LinkedHashMap<>();
		for (String queue : names()) {
			queues.put(queue, describe(queue));
		}
		return new QueuesDescriptor(queues);
	}

	/**
	 * One queue.
	 * @param queue its name
	 * @return the queue, {@code null} (over the web: 404) if the store does not know it
	 * and this instance does not consume it
	 * @throws io.github.delayqueue.DelayQueueException if the store cannot be reached
	 */
	@ReadOperation
	public @Nullable QueueDescriptor queue(@Selector String queue) {
		return names().contains(queue) ? describe(queue) : null;
	}

	private SortedSet<String> names() {
		SortedSet<String> names = new TreeSet<>(this.store.queues());
		this.registry.getContainers().forEach((container) -> names.add(container.getQueue()));
		return names;
	}

	private QueueDescriptor describe(String queue) {
		List<ContainerStatus> containers = this.registry.getContainers()
			.stream()
			.filter((container) -> container.getQueue().equals(queue))
			.map(DelayQueueListenerContainer::status)
			.toList();
		return QueueDescriptor.of(this.store.stats(queue), containers);
	}

}
