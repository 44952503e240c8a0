package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import io.github.delayqueue.Names;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

/**
 * Warns once if Spring would end a shutdown before the listeners had the time that they
 * are promised. Handlers cut short lose nothing, but their tasks run again when the lease
 * is over.
 */
class ShutdownTimeoutCheck implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(ShutdownTimeoutCheck.class);

	private final DelayQueueSettings settings;

	private final DelayQueueListenerContainerRegistry registry;

	private final Duration timeoutPerPhase;

	private final AtomicBoolean warned = new AtomicBoolean();

	ShutdownTimeoutCheck(DelayQueueSettings settings, DelayQueueListenerContainerRegistry registry,
			Duration timeoutPerPhase) {
		this.settings = settings;
		this.registry = registry;
		this.timeoutPerPhase = timeoutPerPhase;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		for (DelayQueueListenerContainer container : this.registry.getContainers()) {
			Duration timeout = this.settings.forQueue(container.getQueue()).shutdownTimeout();
			if (timeout.compareTo(this.timeoutPerPhase) > 0 && this.warned.compareAndSet(false, true)) {
				logger.warn(
						"The shutdown-timeout of queue '{}' ({}) is longer than spring.lifecycle.timeout-per-shutdown-phase "
								+ "({}): handlers that run longer will be cut short and their tasks delivered again. "
								+ "Raise the latter or lower the former",
						container.getQueue(), Names.printable(timeout), Names.printable(this.timeoutPerPhase));
			}
		}
	}

}
