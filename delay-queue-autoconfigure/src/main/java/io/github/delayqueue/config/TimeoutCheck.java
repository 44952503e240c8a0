package io.github.delayqueue.config;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

/**
 * Warns of the first listener whose times do not go with another setting, once.
 *
 * @param message what to log, with a pair of braces for each argument
 * @param objection the arguments of the message, {@code null} if all is well
 */
record TimeoutCheck(DelayQueueListenerContainerRegistry registry, String message,
		Function<DelayQueueListenerContainer, @Nullable List<String>> objection,
		AtomicBoolean warned) implements ApplicationListener<ContextRefreshedEvent>, AopInfrastructureBean {

	private static final Logger logger = LoggerFactory.getLogger(TimeoutCheck.class);

	TimeoutCheck(DelayQueueListenerContainerRegistry registry, String message,
			Function<DelayQueueListenerContainer, @Nullable List<String>> objection) {
		this(registry, message, objection, new AtomicBoolean());
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.registry.getContainers()
			.stream()
			.map(this.objection)
			.filter(Objects::nonNull)
			.filter((arguments) -> this.warned.compareAndSet(false, true))
			.forEach((arguments) -> logger.warn(this.message, arguments.toArray()));
	}

}
