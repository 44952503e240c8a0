package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.config.EnableDelayQueue;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Connections;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for how {@link DelayQueueAutoConfiguration} gets on with what applications have
 * and do not have.
 */
class ApplicationVarietyTests {

	private static final AutoConfigurations OURS = AutoConfigurations.of(DelayQueueAutoConfiguration.class,
			DelayQueueHealthContributorAutoConfiguration.class, DelayQueueMetricsAutoConfiguration.class,
			DataRedisAutoConfiguration.class);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(OURS);

	@Test
	void applicationWithoutActuatorMicrometerWebAndValidation() {
		new ApplicationContextRunner().withUserConfiguration(Bare.class)
			.withClassLoader(
					new FilteredClassLoader("org.springframework.boot.actuate", "org.springframework.boot.health",
							"org.springframework.boot.micrometer", "org.springframework.boot.webmvc",
							"org.springframework.web", "io.micrometer.core", "jakarta.servlet", "jakarta.validation"))
			.run((context) -> assertThat(context).hasSingleBean(DelayQueueOperations.class)
				.hasSingleBean(DelayQueueListenerContainerRegistry.class)
				.doesNotHaveBean("delayQueueHealthIndicator")
				.doesNotHaveBean("delayQueueMetrics"));
	}

	@Test
	void applicationThatOnlySchedulesStartsNoThread() throws Exception {
		assertThat(threadsOf(this.contextRunner)).isEmpty();
		assertThat(threadsOf(new ApplicationContextRunner().withUserConfiguration(WithoutAutoConfiguration.class,
				PrimaryConnection.class)))
			.isEmpty();
		assertThat(threadsOf(
				this.contextRunner.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
					.withBean(Listener.class)))
			.as("that one with a listener would be seen")
			.isNotEmpty();
	}

	/** By their group: applications of other tests start theirs at the same time. */
	private static List<String> threadsOf(ApplicationContextRunner runner) throws Exception {
		ThreadGroup group = new ThreadGroup("application");
		List<String> names = new ArrayList<>();
		FutureTask<Void> start = new FutureTask<>(() -> {
			runner.run((context) -> {
				assertThat(context).hasSingleBean(DelayQueueOperations.class);
				Thread.getAllStackTraces()
					.keySet()
					.stream()
					.filter((thread) -> thread.getThreadGroup() == group)
					.map(Thread::getName)
					.filter((name) -> name.startsWith("delay-queue-"))
					.forEach(names::add);
			});
			return null;
		});
		new Thread(group, start, "main").start();
		start.get();
		return names;
	}

	@Test
	void applicationWhoseBeansAreLazyHasRunningListeners() {
		this.contextRunner.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.withBean(Listener.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context.getBean(DelayQueueListenerContainerRegistry.class).getContainers())
				.hasSize(1)
				.allMatch(DelayQueueListenerContainer::isRunning));
	}

	/** Refers to auto-configurations by name, as Spring Boot does. */
	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class WithoutAutoConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DelayQueueHealthContributorAutoConfiguration.class,
			DelayQueueMetricsAutoConfiguration.class, DataRedisAutoConfiguration.class })
	static class Bare {

	}

	static class Listener {

		@DelayQueueListener(queue = "order_timeout")
		void handle(String payload) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryConnection {

		@Bean
		@Primary
		RedisConnectionFactory main() {
			return Connections.toNobody();
		}

	}

}
