package io.github.delayqueue.annotation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskHandler;

/**
 * Keeps the endpoints that are registered, and runs none.
 */
class RecordingRegistry implements DelayQueueListenerContainerRegistry {

	private final List<DelayQueueListenerEndpoint> endpoints = new ArrayList<>();

	List<DelayQueueListenerEndpoint> endpoints() {
		return this.endpoints;
	}

	@Override
	public DelayQueueListenerContainer register(DelayQueueListenerEndpoint endpoint) {
		this.endpoints.add(endpoint);
		return new IdleContainer(endpoint.id(), endpoint.queue());
	}

	@Override
	public <T> DelayQueueListenerContainer register(String queue, Class<T> payloadType, TaskHandler<T> handler,
			ListenerOptions options) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T> DelayQueueListenerContainer register(String queue, ParameterizedTypeReference<T> payloadType,
			TaskHandler<T> handler, ListenerOptions options) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean unregister(String id) {
		throw new UnsupportedOperationException();
	}

	@Override
	public DelayQueueListenerContainer get(String id) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Collection<DelayQueueListenerContainer> getContainers() {
		throw new UnsupportedOperationException();
	}

	private record IdleContainer(String id, String queue) implements DelayQueueListenerContainer {

		@Override
		public String getId() {
			return this.id;
		}

		@Override
		public String getQueue() {
			return this.queue;
		}

		@Override
		public Duration getLeaseDuration() {
			return Duration.ofSeconds(30);
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

		@Override
		public ContainerStatus status() {
			return new ContainerStatus(this.id, this.queue, false, false, 1, 0, 0, null, null, Duration.ofSeconds(1), 0,
					0);
		}

	}

}
