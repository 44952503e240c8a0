package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.TaskDecorator;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.scheduling.TaskScheduler;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.TestRedisConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A running application has a {@code ThreadPoolTaskScheduler} and a {@code RedisTemplate}
 * of the delay queue's own.
 */
class WiringIntegrationTests {

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void templateOfTheApplicationIsNotUsed(String driver) {
		try (ConfigurableApplicationContext context = run(driver)) {
			context.getBean(DelayQueueOperations.class).schedulePayload("wired", "text", Duration.ofMillis(1));
			await().until(() -> context.getBean(Application.class).handled.containsKey("text"));
		}
	}

	@Test
	void schedulerIsNoBeanAndMadeAsTheApplicationsIsExceptForItsDecorator() {
		try (ConfigurableApplicationContext context = run("lettuce")) {
			Application application = context.getBean(Application.class);
			assertThat(application.customized).as("there is no other").hasSize(1);
			await().until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.anyMatch((thread) -> thread.getName().matches("delay-queue-\\d+") && thread.getPriority() == 3));
			assertThat(application.decorated).isEmpty();
			DefaultListenerContainerRegistry registry = context.getBean(DefaultListenerContainerRegistry.class);
			assertThat(registry).isNotInstanceOfAny(Executor.class, TaskScheduler.class);
			for (Class<?> found : List.of(Executor.class, TaskScheduler.class, ScheduledExecutorService.class)) {
				assertThat(context.getBeansOfType(found).keySet()).noneMatch((name) -> name.contains("delayQueue"));
			}
		}
	}

	private static ConfigurableApplicationContext run(String driver) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.client-type=" + driver, "delay-queue.key-prefix=wiring-" + driver + ":",
					"delay-queue.listener.poll-interval=50ms")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@OnlyDelayQueue
	@ImportAutoConfiguration(TaskSchedulingAutoConfiguration.class)
	@Import(TestRedisConfiguration.class)
	static class Application {

		private final Map<String, Boolean> handled = new ConcurrentHashMap<>();

		private final ConcurrentLinkedQueue<Object> customized = new ConcurrentLinkedQueue<>();

		private final ConcurrentLinkedQueue<Object> decorated = new ConcurrentLinkedQueue<>();

		@DelayQueueListener(queue = "wired")
		void handle(String payload) {
			this.handled.put(payload, true);
		}

		@Bean
		ThreadPoolTaskSchedulerCustomizer customizer() {
			return (scheduler) -> {
				this.customized.add(scheduler);
				scheduler.setThreadPriority(3);
				scheduler.setPoolSize(1);
			};
		}

		@Bean
		TaskDecorator decorator() {
			return (task) -> {
				this.decorated.add(task);
				return task;
			};
		}

		/** The template that everybody in the application gets. */
		@Bean
		RedisTemplate<Object, Object> redisTemplate(RedisConnectionFactory connections) {
			RedisTemplate<Object, Object> template = new RedisTemplate<>();
			template.setConnectionFactory(connections);
			template.setDefaultSerializer(new HostileSerializer());
			return template;
		}

	}

	private static final class HostileSerializer implements RedisSerializer<Object> {

		@Override
		public byte[] serialize(Object value) {
			throw new IllegalStateException("The application's serializer is asked for " + value);
		}

		@Override
		public Object deserialize(byte[] bytes) {
			throw new IllegalStateException("The application's serializer is asked");
		}

	}

}
