package io.github.delayqueue.power;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;

/** An application that goes on while its servers have no power. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class,
		DataSourceTransactionManagerAutoConfiguration.class, DelayQueueJournalAutoConfiguration.class,
		DelayQueueAutoConfiguration.class })
@Import(PowerApplication.Handlers.class)
class PowerApplication {

	static final String QUEUE = "orders";

	static ConfigurableApplicationContext start(Map<String, Object> properties) {
		return new SpringApplicationBuilder(PowerApplication.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "delay-queue.listener.lease-duration=5s",
					"delay-queue.retry.max-lease-losses=100", "delay-queue.journal.initialize-schema=never")
			.properties(properties)
			.run();
	}

	/** What was handled. */
	static final class Handlers implements TaskEventListener {

		final Set<String> begun = ConcurrentHashMap.newKeySet();

		/** Tasks whose end was confirmed. */
		final Set<String> ended = ConcurrentHashMap.newKeySet();

		@DelayQueueListener(queue = QUEUE)
		void handle(DelayedTask<String> task) {
			this.begun.add(task.id());
		}

		@Override
		public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
				@Nullable TaskFailure failure) {
			if (outcome == DeliveryOutcome.SUCCESS) {
				this.ended.add(taskId);
			}
		}

	}

}
