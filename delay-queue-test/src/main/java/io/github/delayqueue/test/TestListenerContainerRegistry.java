package io.github.delayqueue.test;

import java.time.Duration;
import java.util.function.Function;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.DrivenListenerContainerRegistry;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.TaskStore;

/**
 * The listeners of a test, with their handlers looked at.
 */
final class TestListenerContainerRegistry extends DrivenListenerContainerRegistry {

	private final Deliveries deliveries;

	TestListenerContainerRegistry(TaskStore store, TaskCodec codec, TaskEvents events,
			Function<String, QueueOptions> settings, Duration patience, Deliveries deliveries) {
		super(store, codec, events, settings, patience);
		this.deliveries = deliveries;
	}

	@Override
	public DelayQueueListenerContainer register(DelayQueueListenerEndpoint endpoint) {
		return super.register(this.deliveries.watch(endpoint));
	}

}
