package io.github.delayqueue.config;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.producer.DelayQueue;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.QueueName;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues that are injected.
 */
class QueueInjectionTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(Enabled.class)
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));

	@Test
	void annotationNamesTheQueueAtFieldsAndParameters() {
		this.contextRunner.withPropertyValues("queues.mails=mails_of_today")
			.withUserConfiguration(Orders.class, Mails.class)
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				assertThat(orders.timeouts.name()).isEqualTo("order-timeout");
				assertThat(orders.confirmations.name()).isEqualTo("confirmations");
				assertThat(context.getBean(Mails.class).mails.name()).isEqualTo("mails_of_today");
				orders.timeouts.schedule("o1", new Order("o1"), Duration.ofMinutes(1));
				assertThat(context.getBean(DelayQueueOperations.class).find("order-timeout", "o1")).get()
					.returns(new Order("o1"), (task) -> task.payload(Order.class));
			});
	}

	@Test
	void typeArgumentIsWhatPayloadsAreWrittenAs() {
		this.contextRunner.withUserConfiguration(Generic.class).run((context) -> {
			context.getBean(Generic.class).batches.schedule("b", List.of(Map.of("a", 1)), Duration.ofMinutes(1));
			assertThat(context.getBean(DelayQueueOperations.class).find("batches", "b")).get()
				.returns("[{\"a\":1}]", TaskDetails::payloadJson);
			assertThat(context.getBean(Generic.class).raw.getObject().name()).isEqualTo("anything");
		});
	}

	@Test
	void placeWithoutAnAnnotationIsToldWhatToDo() {
		this.contextRunner.withUserConfiguration(Unnamed.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("Parameter 'timeouts' of " + Unnamed.class.getName() + " names no queue: annotate it with "
						+ "@QueueName(\"…\"), or declare a bean of its type by DelayQueueOperations.queue(…)"));
	}

	@Test
	void nameThatIsNotAllowedIsRefused() {
		this.contextRunner.withUserConfiguration(Mails.class)
			.withPropertyValues("queues.mails=of today")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("Field 'mails' of " + Mails.class.getName()
						+ " has @QueueName(\"${queues.mails}\"), which is 'of today'"));
	}

	@Test
	void queuesThatTheApplicationDeclaresAreInjectedAsAllBeansAre() {
		this.contextRunner.withUserConfiguration(Declared.class, User.class).run((context) -> {
			User user = context.getBean(User.class);
			assertThat(user.orders.name()).isEqualTo("declared");
			assertThat(user.byName.name()).isEqualTo("declared");
			assertThat(user.other.name()).isEqualTo("other");
		});
	}

	@Test
	void childOfAContextHasThemAsWell() {
		this.contextRunner.run((parent) -> {
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				child.setParent(parent);
				child.register(Enabled.class, Orders.class);
				child.refresh();
				assertThat(child.getBean(Orders.class).timeouts.name()).isEqualTo("order-timeout");
			}
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Enabled {

	}

	record Order(String number) {

	}

	static class Orders {

		final DelayQueue<Order> timeouts;

		final DelayQueue<String> confirmations;

		Orders(@QueueName("order-timeout") DelayQueue<Order> timeouts,
				@QueueName("confirmations") DelayQueue<String> confirmations) {
			this.timeouts = timeouts;
			this.confirmations = confirmations;
		}

	}

	static class Mails {

		@Autowired
		@QueueName("${queues.mails}")
		DelayQueue<String> mails;

	}

	static class Generic {

		@Autowired
		@QueueName("batches")
		DelayQueue<List<Map<String, Integer>>> batches;

		@Autowired
		@QueueName("anything")
		ObjectProvider<DelayQueue<?>> raw;

	}

	static class Unnamed {

		Unnamed(DelayQueue<Order> timeouts) {
			throw new IllegalStateException("Not reached: " + timeouts);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Declared {

		@Bean("order-timeout")
		DelayQueue<Order> orderTimeout(DelayQueueOperations operations) {
			return operations.queue("declared", Order.class);
		}

	}

	static class User {

		@Autowired
		DelayQueue<Order> orders;

		@Autowired
		@Qualifier("order-timeout")
		DelayQueue<Order> byName;

		@Autowired
		@QueueName("other")
		DelayQueue<String> other;

	}

}
