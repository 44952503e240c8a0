package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.mockito.Answers;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.annotation.DelayQueueListenerAnnotationBeanPostProcessor;
import io.github.delayqueue.config.DelayQueueConfiguration;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.config.EnableDelayQueue;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.store.redis.RedisTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link DelayQueueAutoConfiguration}. How it gets on with different
 * applications is in {@link ApplicationVarietyTests}.
 */
class DelayQueueAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class, DataRedisAutoConfiguration.class));

	private final ApplicationContextRunner storeContextRunner = this.contextRunner.withBean(InMemoryTaskStore.class,
			() -> new InMemoryTaskStore(Clock.systemUTC()));

	@Test
	void beansArePresentByDefault() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(RedisTaskStore.class)
			.hasSingleBean(TaskCodec.class)
			.hasSingleBean(TaskEvents.class)
			.hasSingleBean(DelayQueueTemplate.class)
			.hasSingleBean(DefaultListenerContainerRegistry.class)
			.hasSingleBean(DelayQueueListenerAnnotationBeanPostProcessor.class)
			.hasSingleBean(DelayQueueSettings.class));
	}

	@Test
	void noBeanIsLeftWhenDisabled() {
		this.contextRunner.withPropertyValues("delay-queue.enabled=false")
			.run(DelayQueueAutoConfigurationTests::assertHasNoBeanOfOurs);
	}

	@Test
	void disablingWinsOverTheAnnotation() {
		this.contextRunner.withUserConfiguration(Enabled.class)
			.withPropertyValues("delay-queue.enabled=false")
			.run(DelayQueueAutoConfigurationTests::assertHasNoBeanOfOurs);
	}

	@Test
	void annotationHasNoFurtherEffect() {
		this.contextRunner.withUserConfiguration(Enabled.class)
			.withPropertyValues("delay-queue.key-prefix=shop:")
			.run((context) -> {
				assertThat(context).hasSingleBean(PartitionedTaskStore.class)
					.hasSingleBean(DelayQueueConfiguration.class);
				assertThat(context.getBean(DelayQueueSettings.class).keyPrefix()).isEqualTo("shop:");
			});
	}

	@Test
	void nothingIsConfiguredWithoutSpringDataRedis() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
			.run(DelayQueueAutoConfigurationTests::assertHasNoBeanOfOurs);
	}

	@Test
	void settingsOfTheApplicationTakeThePlaceOfTheProperties() {
		DelayQueueSettings settings = DelayQueueSettings.defaults().withKeyPrefix("mine:");
		this.contextRunner.withBean(DelayQueueSettings.class, () -> settings)
			.withPropertyValues("delay-queue.key-prefix=shop:")
			.run((context) -> assertThat(context.getBean(DelayQueueSettings.class)).isSameAs(settings));
	}

	@Test
	void propertiesReachTheContainers() {
		this.storeContextRunner.withBean(Listener.class)
			.withPropertyValues("delay-queue.queues.order_timeout.listener.concurrency=3",
					"delay-queue.listener.auto-startup=false")
			.run((context) -> {
				assertThat(container(context).status().concurrency()).isEqualTo(3);
				assertThat(container(context).isRunning()).isFalse();
			});
	}

	@Test
	void propertiesReachTheTemplate() {
		this.storeContextRunner.withPropertyValues("delay-queue.queues.a.producer.max-payload-size=10B")
			.run((context) -> {
				DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
				assertThat(operations.schedulePayload("b", "longer than ten bytes", Duration.ZERO).taskId())
					.isNotEmpty();
				assertThatExceptionOfType(DelayQueueException.class)
					.isThrownBy(() -> operations.schedulePayload("a", "longer than ten bytes", Duration.ZERO))
					.withMessageContaining("max-payload-size");
			});
	}

	@Test
	void handlesOfQueuesPassTheirCallsOnToOperationsThatAreMocked() {
		DelayQueueOperations mocked = mock(DelayQueueOperations.class, Answers.CALLS_REAL_METHODS);
		this.contextRunner.withBean(DelayQueueOperations.class, () -> mocked).run((context) -> {
			context.getBean(DelayQueueOperations.class).queue("orders", String.class).cancel("a");
			verify(mocked).cancel("orders", "a");
		});
	}

	/** As the reference says: others may set these, as Kubernetes does. */
	@Test
	void unknownSystemPropertyIsPassedOver() {
		this.contextRunner.withSystemProperties("delay-queue.port=tcp://10.0.0.1:80")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void virtualThreadsFollowTheProperty() {
		this.contextRunner
			.run((context) -> assertThat(context.getBean(DelayQueueSettings.class).virtualThreads()).isFalse());
		this.contextRunner.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> assertThat(context.getBean(DelayQueueSettings.class).virtualThreads())
				.isEqualTo(Runtime.version().feature() >= 21));
	}

	private static DelayQueueListenerContainer container(AssertableApplicationContext context) {
		return context.getBean(DelayQueueListenerContainerRegistry.class).getContainers().iterator().next();
	}

	private static void assertHasNoBeanOfOurs(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		assertThat(Arrays.stream(context.getBeanDefinitionNames()).map(context::getType))
			.filteredOn((type) -> type != null && type != Enabled.class)
			.noneMatch((type) -> type.getName().startsWith("io.github.delayqueue."));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Enabled {

	}

	static class Listener {

		@DelayQueueListener(queue = "order_timeout")
		void handle(String payload) {
		}

	}

}
