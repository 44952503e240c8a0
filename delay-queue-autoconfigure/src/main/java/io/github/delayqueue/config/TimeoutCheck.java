package io.github.delayqueue.config;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

/**
 * Warns of the first listener whose times do not go with another setting, once.
 */
class TimeoutCheck implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(TimeoutCheck.class);

	private final DelayQueueListenerContainerRegistry registry;

	private final Function<DelayQueueListenerContainer, @Nullable String> objection;

	private final AtomicBoolean warned = new AtomicBoolean();

	TimeoutCheck(DelayQueueListenerContainerRegistry registry,
			Function<DelayQueueListenerContainer, @Nullable String> objection) {
		this.registry = registry;
		this.objection = objection;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.registry.getContainers()
			.stream()
			.map(this.objection)
			.filter(Objects::nonNull)
			.filter((sentence) -> this.warned.compareAndSet(false, true))
			.forEach(logger::warn);
	}

}
