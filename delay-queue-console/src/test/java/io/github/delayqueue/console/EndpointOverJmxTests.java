package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link DelayQueueEndpoint} as Spring Boot serves it over JMX.
 */
class EndpointOverJmxTests {

	private final MBeanServer server = MBeanServerFactory.newMBeanServer();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, JmxAutoConfiguration.class,
				EndpointAutoConfiguration.class, JacksonEndpointAutoConfiguration.class,
				JmxEndpointAutoConfiguration.class, DelayQueueAutoConfiguration.class,
				DelayQueueTroubleAutoConfiguration.class, DelayQueueEndpointAutoConfiguration.class))
		.withInitializer((context) -> context.getBeanFactory()
			.setConversionService(ApplicationConversionService.getSharedInstance()))
		.withBean("mbeanServer", MBeanServer.class, () -> this.server)
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
		.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=delayqueue");

	@Test
	void queuesAndTasksAreShown() {
		this.contextRunner.run((context) -> {
			schedule(context.getBean(DelayQueueOperations.class), context.getBean(TaskStore.class));
			assertThat(invoke("queues", null, null, null, null, null, null, null, null).toString())
				.contains("orders={waiting=1, due=0");
			assertThat(invoke("queues", null, null, null, "a/b", null, null, null, null).toString())
				.contains("tasks={orders=[{id=a/b, state=SCHEDULED");
			assertThat(invoke("queue", "orders").toString()).contains("waiting=1");
			assertThat(invoke("view", "orders", "tasks", "SCHEDULED", "0", "10", null, null, null).toString())
				.contains("tasks=[{id=a/b, state=SCHEDULED");
			assertThat(task()).containsEntry("id", "a/b").containsEntry("payload", "******");
		});
	}

	@Test
	void payloadIsShownOnlyWhereItIsAlwaysShown() {
		this.contextRunner.withPropertyValues("management.endpoint.delayqueue.show-values=when-authorized")
			.run((context) -> {
				schedule(context.getBean(DelayQueueOperations.class), context.getBean(TaskStore.class));
				assertThat(task()).containsEntry("payload", "******");
			});
		this.contextRunner.withPropertyValues("management.endpoint.delayqueue.show-values=always").run((context) -> {
			schedule(context.getBean(DelayQueueOperations.class), context.getBean(TaskStore.class));
			assertThat(task()).containsEntry("payload", "{\"number\":7}");
		});
	}

	@Test
	void queueIsChangedOnlyWithAccess() {
		this.contextRunner.run((context) -> assertThat(operations()).containsOnlyKeys("queues", "queue", "view"));
		this.contextRunner.withPropertyValues("management.endpoint.delayqueue.access=UNRESTRICTED").run((context) -> {
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			schedule(operations, context.getBean(TaskStore.class));
			assertThat(operations()).containsOnlyKeys("queues", "queue", "view", "perform");
			assertThat(operations().get("perform").getSignature()).extracting(MBeanParameterInfo::getType)
				.containsOnly("java.lang.String");
			assertThat(
					invoke("perform", "orders", "cancel", "a/b", null, null, null, null, null, null, null).toString())
				.contains("action=cancel, tasks=1");
			assertThat(operations.find("orders", "a/b")).isEmpty();
		});
	}

	@Test
	void whatCannotBeDoneIsAnExceptionWithASentence() {
		this.contextRunner.run((context) -> {
			schedule(context.getBean(DelayQueueOperations.class), context.getBean(TaskStore.class));
			assertThatException().isThrownBy(() -> invoke("queue", "nothing"))
				.withMessage("There is no queue 'nothing'");
			assertThatException().isThrownBy(() -> invoke("view", "orders", "tasks", null, null, "0", null, null, null))
				.withMessage("The limit must be a number from 1 to 500");
		});
	}

	private static void schedule(DelayQueueOperations operations, TaskStore store) {
		operations.schedule("orders", "a/b", Map.of("number", 7), Duration.ofDays(1));
		QueueControl.of(store).announce("orders");
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> task() throws Exception {
		return (Map<String, Object>) invoke("view", "orders", "tasks", null, null, null, "a/b", null, null);
	}

	private Object invoke(String operation, String... arguments) throws Exception {
		return this.server.invoke(name(), operation, arguments,
				Arrays.stream(arguments).map((argument) -> "java.lang.String").toArray(String[]::new));
	}

	private Map<String, MBeanOperationInfo> operations() throws Exception {
		return Arrays.stream(this.server.getMBeanInfo(name()).getOperations())
			.collect(Collectors.toMap(MBeanOperationInfo::getName, (operation) -> operation));
	}

	private ObjectName name() {
		return this.server.queryNames(null, null)
			.stream()
			.filter((name) -> name.toString().contains("name=Delayqueue"))
			.findFirst()
			.orElseThrow();
	}

}
