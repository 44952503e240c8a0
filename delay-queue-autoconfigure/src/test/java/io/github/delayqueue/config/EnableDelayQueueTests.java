package io.github.delayqueue.config;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.SetupException;
import io.github.delayqueue.annotation.DelayQueueListenerAnnotationBeanPostProcessor;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link EnableDelayQueue} in an application without Spring Boot's
 * auto-configuration.
 */
class EnableDelayQueueTests {

	private static final List<Class<?>> BEANS = List.of(TaskCodec.class, TaskEvents.class, DelayQueueOperations.class,
			DelayQueueListenerContainerRegistry.class, DelayQueueListenerAnnotationBeanPostProcessor.class);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(Enabled.class);

	private final ApplicationContextRunner redisContextRunner = this.contextRunner.withUserConfiguration(Redis.class);

	@Test
	void needsNothingButAConnectionFactory() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Enabled.class,
				Redis.class)) {
			assertHasEachBeanOnce(context);
			assertThat(context.getBeansOfType(TaskStore.class)).hasSize(2);
			assertThat(context.getBean(RedisTaskStore.class).isRunning()).isTrue();
			assertThat(context.getBean(TaskStore.class)).isInstanceOf(PartitionedTaskStore.class);
			assertThat(context.getBean(DelayQueueOperations.class)).isInstanceOf(DelayQueueTemplate.class);
			assertThat(context.getBean(DelayQueueListenerContainerRegistry.class))
				.isInstanceOf(DefaultListenerContainerRegistry.class);
		}
	}

	/** So the application's methods run on the threads that they have without it. */
	@Test
	void declaresNothingThatSpringLooksForToRunSomething() {
		this.redisContextRunner.run((context) -> {
			for (Class<?> type : List.of(Executor.class, TaskScheduler.class, AsyncConfigurer.class,
					SchedulingConfigurer.class)) {
				assertThat(context).doesNotHaveBean(type);
			}
		});
	}

	@Test
	void isHarmlessTwice() {
		this.redisContextRunner.withUserConfiguration(EnabledAgain.class)
			.run(EnableDelayQueueTests::assertHasEachBeanOnce);
	}

	@ParameterizedTest
	@ValueSource(classes = { Slice.class, SliceOfOther.class })
	void declaresNothingInASliceOfAnAutoConfiguredApplication(Class<?> slice) {
		new ApplicationContextRunner().withUserConfiguration(slice)
			.withPropertyValues("spring.boot.enableautoconfiguration=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				BEANS.forEach((type) -> assertThat(context).doesNotHaveBean(type));
			});
	}

	@Test
	void declaresItsBeansWhereTheAutoConfigurationIsExcluded() {
		new ApplicationContextRunner().withUserConfiguration(WithoutOurs.class, Redis.class)
			.withPropertyValues("spring.boot.enableautoconfiguration=false")
			.run(EnableDelayQueueTests::assertHasEachBeanOnce);
		new ApplicationContextRunner().withUserConfiguration(Slice.class, Redis.class)
			.withPropertyValues("spring.boot.enableautoconfiguration=false",
					"spring.autoconfigure.exclude=" + DelayQueueAutoConfiguration.class.getName())
			.run(EnableDelayQueueTests::assertHasEachBeanOnce);
	}

	@Test
	void backsOffForBeansOfTheApplicationDeclaredAfterIt() {
		this.contextRunner.withUserConfiguration(OwnBeans.class).run((context) -> {
			assertThat(context).hasSingleBean(TaskStore.class).hasBean("myStore");
			assertThat(context).hasSingleBean(TaskCodec.class).hasBean("myCodec");
			assertThat(context).hasSingleBean(TaskEvents.class).hasBean("myEvents");
			assertThat(context).hasSingleBean(DelayQueueOperations.class).hasBean("myOperations");
			assertThat(context).hasSingleBean(DelayQueueListenerContainerRegistry.class).hasBean("myRegistry");
		});
	}

	@Test
	void settingsOfTheApplicationAreUsed() {
		this.redisContextRunner
			.withBean(DelayQueueSettings.class, () -> DelayQueueSettings.defaults().withKeyPrefix("my{prefix}"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(DelayQueueException.class)
				.hasMessageContaining("my{prefix}"));
	}

	@Test
	void codecUsesTheJsonMapperOfTheApplication() {
		this.redisContextRunner.withBean("mapper", JsonMapper.class, EnableDelayQueueTests::snakeCase)
			.run((context) -> assertThat(envelope(context)).contains("{\"order_no\":1}"));
	}

	@Test
	void codecUsesThePrimaryOneOfSeveralJsonMappers() {
		this.redisContextRunner
			.withBean("mapper", JsonMapper.class, EnableDelayQueueTests::snakeCase,
					(definition) -> definition.setPrimary(true))
			.withBean("otherMapper", JsonMapper.class, () -> JsonMapper.builder().build())
			.run((context) -> assertThat(envelope(context)).contains("{\"order_no\":1}"));
	}

	/** Jackson 3 may be there for another library, above all on Spring Boot 3. */
	@Test
	void codecUsesTheObjectMapperOfAnApplicationWithoutJsonMapper() {
		ApplicationContextRunner runner = this.redisContextRunner.withBean("objectMapper", ObjectMapper.class,
				() -> new ObjectMapper()
					.setPropertyNamingStrategy(com.fasterxml.jackson.databind.PropertyNamingStrategies.KEBAB_CASE));
		runner.run((context) -> assertThat(envelope(context)).contains("{\"order-no\":1}"));
		runner.withBean("mapper", JsonMapper.class, EnableDelayQueueTests::snakeCase)
			.run((context) -> assertThat(envelope(context)).contains("{\"order_no\":1}"));
	}

	@Test
	void codecIsThereWithOneVersionOfJacksonAlone() {
		this.redisContextRunner.withClassLoader(new FilteredClassLoader("com.fasterxml.jackson.databind"))
			.run((context) -> assertThat(envelope(context)).contains("{\"orderNo\":1}"));
		this.redisContextRunner.withClassLoader(new FilteredClassLoader("tools.jackson.databind"))
			.run((context) -> assertThat(envelope(context)).contains("{\"orderNo\":1}"));
	}

	@Test
	void codecOfTheApplicationDecidesAmongSeveralJsonMappers() {
		this.redisContextRunner.withBean("mapper", JsonMapper.class, EnableDelayQueueTests::snakeCase)
			.withBean("otherMapper", JsonMapper.class, () -> JsonMapper.builder().build())
			.withBean(TaskCodec.class, () -> TaskCodec.of(new JacksonPayloadMapper(snakeCase())))
			.run((context) -> assertThat(envelope(context)).contains("{\"order_no\":1}"));
	}

	@Test
	void refusesToStartWhenSeveralConnectionFactoriesArePrimary() {
		this.contextRunner
			.withBean("orders", LettuceConnectionFactory.class, Connections::toNobody,
					(definition) -> definition.setPrimary(true))
			.withBean("sessions", LettuceConnectionFactory.class, Connections::toNobody,
					(definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(SetupException.class)
				.hasMessageContaining("of which several are primary: orders, sessions"));
	}

	@Test
	void eventsReachTheListenersInTheirOrder() {
		this.redisContextRunner.withUserConfiguration(Listeners.class).run((context) -> {
			context.getBean(TaskEvents.class).publish((listener) -> listener.onStart("a", "1", Duration.ZERO));
			assertThat(context.getBean(Listeners.class).called).containsExactly("first", "second");
		});
	}

	@Test
	void listenerForEventsMayScheduleTasks() {
		this.contextRunner.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.withBean(SchedulingListener.class)
			.run((context) -> {
				context.getBean(TaskEvents.class).publish((listener) -> listener.onStart("a", "1", Duration.ZERO));
				assertThat(context.getBean(TaskStore.class).find("follow_up", "1")).isPresent();
			});
	}

	private static void assertHasEachBeanOnce(ApplicationContext context) {
		BEANS.forEach((type) -> assertThat(context.getBeansOfType(type)).as(type.getName()).hasSize(1));
	}

	private static String envelope(ApplicationContext context) {
		byte[] envelope = context.getBean(TaskCodec.class)
			.writeEnvelope("a", "1", new Payload(new Placed(1), null), Map.of(), TaskOptions.NONE, 1000);
		return new String(envelope, StandardCharsets.UTF_8);
	}

	private static JsonMapper snakeCase() {
		return JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
	}

	record Placed(int orderNo) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Enabled {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableDelayQueue
	static class Slice {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Enabled.class)
	static class SliceOfOther {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = DelayQueueAutoConfiguration.class)
	@EnableDelayQueue
	static class WithoutOurs {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class EnabledAgain {

	}

	@Configuration(proxyBeanMethods = false)
	static class Redis {

		@Bean
		LettuceConnectionFactory redisConnectionFactory() {
			return Connections.toNobody();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnBeans {

		@Bean
		TaskStore myStore() {
			return new InMemoryTaskStore(Clock.systemUTC());
		}

		@Bean
		TaskCodec myCodec() {
			return TaskCodec.of(new JacksonPayloadMapper(snakeCase()));
		}

		@Bean
		TaskEvents myEvents() {
			return new TaskEvents(List.of());
		}

		@Bean
		DelayQueueOperations myOperations() {
			return mock();
		}

		@Bean
		DelayQueueListenerContainerRegistry myRegistry() {
			return mock();
		}

	}

	static class SchedulingListener implements TaskEventListener {

		private final DelayQueueOperations operations;

		SchedulingListener(DelayQueueOperations operations) {
			this.operations = operations;
		}

		@Override
		public void onStart(String queue, String taskId, Duration lateness) {
			this.operations.schedule("follow_up", taskId, "payload", Duration.ofHours(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		private final List<String> called = new ArrayList<>();

		@Bean
		@Order(2)
		TaskEventListener secondListener() {
			return listener("second");
		}

		@Bean
		@Order(1)
		TaskEventListener firstListener() {
			return listener("first");
		}

		private TaskEventListener listener(String name) {
			return new TaskEventListener() {

				@Override
				public void onStart(String queue, String taskId, Duration lateness) {
					Listeners.this.called.add(name);
				}

			};
		}

	}

}
