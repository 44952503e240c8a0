package io.github.delayqueue.config;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import io.github.delayqueue.Names;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

/**
 * Warns once if a single command may take so long that a lease runs out before it can be
 * extended: leases are extended when a third of the ttr has passed.
 */
class CommandTimeoutCheck implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(CommandTimeoutCheck.class);

	private final Duration commandTimeout;

	private final DelayQueueListenerContainerRegistry registry;

	private final AtomicBoolean warned = new AtomicBoolean();

	CommandTimeoutCheck(Duration commandTimeout, DelayQueueListenerContainerRegistry registry) {
		this.commandTimeout = commandTimeout;
		this.registry = registry;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		for (DelayQueueListenerContainer container : this.registry.getContainers()) {
			if (container.getTtr().compareTo(this.commandTimeout.multipliedBy(3)) < 0
					&& this.warned.compareAndSet(false, true)) {
				logger.warn(
						"delay-queue.command-timeout ({}) is longer than a third of the ttr of listener '{}' ({}): while "
								+ "Redis is slow to answer, its leases may run out and its tasks be delivered twice. "
								+ "Lower the former or raise the latter",
						Names.printable(this.commandTimeout), container.getId(), Names.printable(container.getTtr()));
			}
		}
	}

}
