package io.github.delayqueue.config;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import io.github.delayqueue.Names;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

/** Warns of the first listener whose times do not go with another setting. */
record TimeoutCheck(DelayQueueListenerContainerRegistry registry, DelayQueueSettings settings,
		@Nullable Duration commands, Duration phase,
		Set<String> warned) implements ApplicationListener<ContextRefreshedEvent>, AopInfrastructureBean {

	private static final Logger logger = LoggerFactory.getLogger(TimeoutCheck.class);

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.registry.getContainers().forEach(this::check);
	}

	private void check(DelayQueueListenerContainer listener) {
		Duration lease = listener.getLeaseDuration();
		// leases are extended when a third of the lease duration has passed
		if (this.commands != null && lease.compareTo(this.commands.multipliedBy(3)) < 0
				&& this.warned.add("command-timeout")) {
			logger.warn("delay-queue.command-timeout ({}) is longer than a third of the lease duration of listener "
					+ "'{}' ({}): while Redis is slow to answer, its leases may run out and its tasks be delivered "
					+ "twice. Lower the former or raise the latter", Names.printable(this.commands), listener.getId(),
					Names.printable(lease));
		}
		Duration shutdown = this.settings.forQueue(listener.getQueue()).shutdownTimeout();
		if (shutdown.compareTo(this.phase) > 0 && this.warned.add("shutdown-timeout")) {
			// nothing is lost, but the tasks run again when their leases are over
			logger.warn("The shutdown-timeout of queue '{}' ({}) is longer than "
					+ "spring.lifecycle.timeout-per-shutdown-phase ({}): handlers that run longer will be cut short "
					+ "and their tasks delivered again. Raise the latter or lower the former", listener.getQueue(),
					Names.printable(shutdown), Names.printable(this.phase));
		}
	}

}
