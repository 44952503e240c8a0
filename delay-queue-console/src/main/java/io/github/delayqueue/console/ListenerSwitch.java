package io.github.delayqueue.console;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import io.github.delayqueue.Names;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

/** The containers of this instance, to look at, start and stop, and who consumes what. */
record ListenerSwitch(DelayQueueListenerContainerRegistry registry, ConsumersCache instances) {

	private static final Logger logger = LoggerFactory.getLogger(ListenerSwitch.class);

	/** Handlers may go on for much longer: nobody waits for their end. */
	private static final Duration STOP_WAIT = Duration.ofSeconds(2);

	/** Who consumes what, on all instances. */
	QueueConsumers consumers() {
		return QueueConsumers.read(this.instances,
				this.registry.getContainers().stream().map(DelayQueueListenerContainer::status).toList());
	}

	List<String> queues() {
		return this.registry.getContainers().stream().map(DelayQueueListenerContainer::getQueue).toList();
	}

	/**
	 * Start ({@code on}) or stop a container. Stopping goes on after this has returned,
	 * if handlers take their time.
	 */
	QueueDescriptor.Listener turn(String queue, boolean on, String id) {
		Collection<DelayQueueListenerContainer> candidates = this.registry.getContainers(queue);
		DelayQueueListenerContainer container = candidates.stream()
			.filter((candidate) -> candidate.getId().equals(id))
			.findFirst()
			.orElseThrow(() -> QueueRequestException.notFound(queue,
					"Queue '" + queue + "' has no listener '" + Names.printable(id) + "' in this instance, but "
							+ candidates.stream().map(DelayQueueListenerContainer::getId).toList()));
		if (on) {
			container.start();
		}
		else {
			stop(container);
		}
		return QueueDescriptor.Listener.of(container.status());
	}

	private static void stop(DelayQueueListenerContainer container) {
		SimpleAsyncTaskExecutor thread = new SimpleAsyncTaskExecutor("delay-queue-stop-");
		thread.setDaemon(true);
		CompletableFuture.runAsync(container::stop, thread).exceptionally((ex) -> {
			logger.warn("Listener '{}' could not be stopped properly", container.getId(), ex);
			return null;
		}).completeOnTimeout(null, STOP_WAIT.toMillis(), TimeUnit.MILLISECONDS).join();
	}

}
