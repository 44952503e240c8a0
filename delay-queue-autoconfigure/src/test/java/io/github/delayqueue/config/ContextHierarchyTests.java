package io.github.delayqueue.config;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Contexts that have a parent: both may have listeners, which are registered together and
 * end with their context.
 */
class ContextHierarchyTests {

	private final AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();

	@AfterEach
	void close() {
		this.parent.close();
	}

	@Test
	void listenersOfParentAndChildAreCalled() throws Exception {
		startParent(Enabled.class, Orders.class);
		try (AnnotationConfigApplicationContext child = child(Enabled.class, Invoices.class)) {
			assertThat(registry().getContainers()).extracting(DelayQueueListenerContainer::getId)
				.containsExactly("contextHierarchyTests.Orders.handle", "contextHierarchyTests.Invoices.handle");
			DelayQueueOperations operations = child.getBean(DelayQueueOperations.class);
			assertThat(operations).isSameAs(this.parent.getBean(DelayQueueOperations.class));
			operations.schedulePayload("orders", "order", Duration.ZERO);
			operations.schedulePayload("invoices", "invoice", Duration.ZERO);
			assertThat(this.parent.getBean(Orders.class).take()).isEqualTo("order");
			assertThat(child.getBean(Invoices.class).take()).isEqualTo("invoice");
		}
	}

	@Test
	void listenersOfAChildAreCalledWithSpringBoot() throws Exception {
		try (ConfigurableApplicationContext child = new SpringApplicationBuilder(AutoConfigured.class)
			.web(WebApplicationType.NONE)
			.child(AutoConfiguredChild.class, Invoices.class)
			.web(WebApplicationType.NONE)
			.run()) {
			assertThat(child.getParent()).isNotNull();
			child.getBean(DelayQueueOperations.class).schedulePayload("invoices", "invoice", Duration.ZERO);
			assertThat(child.getBean(Invoices.class).take()).isEqualTo("invoice");
		}
	}

	@Test
	void listenersOfAChildPauseWithIt() {
		startParent(Enabled.class);
		try (AnnotationConfigApplicationContext child = child(Enabled.class, Invoices.class)) {
			child.registerBean(Receipts.class);
			child.getBean(Receipts.class);
			assertThat(registry().getContainers()).hasSize(2).allMatch(DelayQueueListenerContainer::isRunning);
			child.stop();
			assertThat(registry().getContainers()).isEmpty();
			child.start();
			assertThat(registry().getContainers()).hasSize(2).allMatch(DelayQueueListenerContainer::isRunning);
		}
		assertThat(registry().getContainers()).isEmpty();
	}

	@Test
	void listenerThatParentAndChildBothHaveIsRefused() {
		startParent(Enabled.class, Orders.class);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> child(Enabled.class, Invoices.class, Orders.class))
			.havingRootCause()
			.isInstanceOf(InvalidListenerException.class)
			.withMessageContaining("Two listeners have the id 'contextHierarchyTests.Orders.handle'");
		assertThat(registry().getContainers()).extracting(DelayQueueListenerContainer::getQueue)
			.containsExactly("orders");
	}

	@Test
	void childSharesTheStoreOfItsParent() {
		this.parent.register(EnabledWithRedis.class);
		this.parent.refresh();
		try (AnnotationConfigApplicationContext child = child(EnabledWithRedis.class)) {
			assertThat(child.getBean(PartitionedTaskStore.class))
				.isSameAs(this.parent.getBean(PartitionedTaskStore.class));
			assertThat(child.getBeansOfType(TaskStore.class)).isEmpty();
			assertThat(child.getBeansOfType(TimeoutCheck.class)).isEmpty();
		}
	}

	private void startParent(Class<?>... components) {
		this.parent.registerBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));
		this.parent.register(components);
		this.parent.refresh();
	}

	private AnnotationConfigApplicationContext child(Class<?>... components) {
		AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
		child.setParent(this.parent);
		child.register(components);
		try {
			child.refresh();
		}
		catch (RuntimeException ex) {
			child.close();
			throw ex;
		}
		return child;
	}

	private DelayQueueListenerContainerRegistry registry() {
		return this.parent.getBean(DelayQueueListenerContainerRegistry.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Enabled {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class EnabledWithRedis {

		@Bean
		LettuceConnectionFactory redisConnectionFactory() {
			return Connections.toNobody();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DelayQueueAutoConfiguration.class)
	static class AutoConfigured {

		@Bean
		InMemoryTaskStore store() {
			return new InMemoryTaskStore(Clock.systemUTC());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DelayQueueAutoConfiguration.class)
	static class AutoConfiguredChild {

	}

	abstract static class Received {

		private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

		void receive(String payload) {
			this.received.add(payload);
		}

		String take() throws InterruptedException {
			return this.received.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
		}

	}

	static class Orders extends Received {

		@DelayQueueListener("orders")
		void handle(String payload) {
			receive(payload);
		}

	}

	static class Invoices extends Received {

		@DelayQueueListener("invoices")
		void handle(String payload) {
			receive(payload);
		}

	}

	static class Receipts extends Received {

		@DelayQueueListener("receipts")
		void handle(String payload) {
			receive(payload);
		}

	}

}
