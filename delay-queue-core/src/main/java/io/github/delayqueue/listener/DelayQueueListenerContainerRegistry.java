package io.github.delayqueue.listener;

import java.util.Collection;

import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * The containers of an application. Containers can be registered, started, stopped and
 * unregistered at any time, also after the application has started. Thread-safe.
 */
public interface DelayQueueListenerContainerRegistry {

	/**
	 * Register a handler and, if its options say so and the registry runs, start it.
	 * @param payloadType what payloads are converted to
	 * @param options what the listener sets for itself;
	 * {@link ListenerOptions#defaults()} for nothing
	 * @param <T> type of the payload
	 * @throws io.github.delayqueue.DelayQueueException if the queue name is not allowed,
	 * the id is taken, or another listener on the queue contradicts it
	 */
	<T> DelayQueueListenerContainer register(String queue, Class<T> payloadType, TaskHandler<T> handler,
			ListenerOptions options);

	/** Register a handler of a generic payload type in the same way. */
	<T> DelayQueueListenerContainer register(String queue, ParameterizedTypeReference<T> payloadType,
			TaskHandler<T> handler, ListenerOptions options);

	/**
	 * Register an endpoint. For wiring.
	 * @see #register(String, Class, TaskHandler, ListenerOptions)
	 */
	DelayQueueListenerContainer register(DelayQueueListenerEndpoint endpoint);

	/** Stop a container and forget it, and return whether there was one. */
	boolean unregister(String id);

	/**
	 * Stop containers, of which none claims any more while others end, and forget them.
	 */
	default void unregisterAll(Collection<String> ids) {
		ids.forEach(this::unregister);
	}

	/**
	 * Look up a container.
	 * @throws io.github.delayqueue.DelayQueueException if there is none; the message
	 * lists the ids there are
	 */
	DelayQueueListenerContainer get(String id);

	/** A snapshot of all containers, in the order of registration. */
	Collection<DelayQueueListenerContainer> getContainers();

	/** A snapshot of the containers of a queue, in the order of registration. */
	default Collection<DelayQueueListenerContainer> getContainers(String queue) {
		return getContainers().stream().filter((container) -> container.getQueue().equals(queue)).toList();
	}

	/**
	 * Start the containers of a queue in this instance that do not run.
	 * @throws io.github.delayqueue.DelayQueueException if there are none; the message
	 * lists the queues that have some
	 */
	default void startConsuming(String queue) {
		requireContainers(queue).forEach(DelayQueueListenerContainer::start);
	}

	/**
	 * Stop the containers of a queue in this instance that run, as
	 * {@link DelayQueueListenerContainer#stop()} does each; none claims any more while
	 * others end. Other instances go on: to stop those as well, pause the queue.
	 * @throws io.github.delayqueue.DelayQueueException if there are none; the message
	 * lists the queues that have some
	 */
	default void stopConsuming(String queue) {
		requireContainers(queue).forEach(DelayQueueListenerContainer::stop);
	}

	private Collection<DelayQueueListenerContainer> requireContainers(String queue) {
		Collection<DelayQueueListenerContainer> containers = getContainers(queue);
		if (containers.isEmpty()) {
			throw new DelayQueueException(null, null, "Queue '" + Names.printable(queue)
					+ "' has no listener in this instance, but "
					+ getContainers().stream().map(DelayQueueListenerContainer::getQueue).distinct().sorted().toList());
		}
		return containers;
	}

	/** The id under which other instances see this one, empty if they do not. */
	default String getInstance() {
		return "";
	}

}
