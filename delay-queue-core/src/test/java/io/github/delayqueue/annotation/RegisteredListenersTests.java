package io.github.delayqueue.annotation;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Annotated methods together with the real registry and its containers.
 */
class RegisteredListenersTests {

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final ListenerFixture fixture = new ListenerFixture(this.store);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void tasksAreHandledOnceTheyAreDue() {
		try (AnnotationConfigApplicationContext context = start(LocalValidatorFactoryBean.class, Orders.class)) {
			this.fixture.schedule("orders", "a", new Order("a"), Duration.ZERO);
			this.fixture.schedule("orders", "b", new Order("b"), Duration.ofMillis(50));
			this.fixture.schedule("batches", "c", List.of(1, 2), Duration.ZERO);
			Orders orders = context.getBean(Orders.class);
			Awaitility.await().untilAsserted(() -> {
				assertThat(orders.handled).containsExactlyInAnyOrder(new Order("a"), new Order("b"));
				assertThat(orders.batches).containsExactly(List.of(1, 2));
				assertThat(this.store.stats("orders").totals().completed()).isEqualTo(2);
			});
		}
	}

	@Test
	void invalidPayloadIsDeadWithTheNamesOfItsFields() {
		try (AnnotationConfigApplicationContext context = start(LocalValidatorFactoryBean.class, Orders.class)) {
			this.fixture.schedule("orders", "a", new Order("   "), Duration.ZERO);
			Awaitility.await()
				.untilAsserted(() -> assertThat(this.store.list("orders", TaskState.DEAD, 0, 10)).hasSize(1));
			byte[] failure = this.store.find("orders", "a").orElseThrow().failure();
			assertThat(failure).isNotNull();
			TaskFailure described = Codecs.create().readFailure(failure);
			assertThat(described.reason()).isEqualTo(DeadReason.BURIED);
			assertThat(described.message()).isEqualTo("Payload is not valid: number (NotBlank)");
			assertThat(context.getBean(Orders.class).handled).isEmpty();
		}
	}

	@Test
	void containerIsFoundByItsGeneratedId() {
		try (AnnotationConfigApplicationContext context = start(LocalValidatorFactoryBean.class, Orders.class)) {
			assertThat(context.getBean(DelayQueueListenerContainerRegistry.class).getContainers())
				.extracting(DelayQueueListenerContainer::getId)
				.containsExactlyInAnyOrder("registeredListenersTests.Orders.close",
						"registeredListenersTests.Orders.batches");
		}
	}

	@Test
	void twoListenersThatAgreeShareQueue() {
		assertThatCode(() -> start(Base.class, Agreeing.class).close()).doesNotThrowAnyException();
	}

	@Test
	void listenersThatDisagreeOnPayloadTypeAreRefused() {
		assertRefused(OtherPayload.class, ".handle(Integer)", "the payload type");
	}

	@Test
	void listenersThatDisagreeOnTtrAreRefused() {
		assertRefused(OtherTtr.class, ".handle(String)", "ttr");
	}

	@Test
	void listenersThatDisagreeOnRetryAreRefused() {
		assertRefused(OtherRetry.class, ".handle(String)", "retry");
	}

	@Test
	void duplicateIdsAreRefused() {
		InvalidListenerException failure = catchThrowableOfType(InvalidListenerException.class,
				() -> start(FirstId.class, SecondId.class).close());
		assertThat(failure).hasMessageContaining("'same'")
			.hasMessageContaining(FirstId.class.getName() + ".handle(String)")
			.hasMessageContaining(SecondId.class.getName() + ".handle(String)");
		assertThat(failure.getAction()).contains("another id");
	}

	@Test
	void listenerInCodeThatDisagreesIsRefused() {
		try (AnnotationConfigApplicationContext context = start(Base.class)) {
			DelayQueueListenerContainerRegistry registry = context.getBean(DelayQueueListenerContainerRegistry.class);
			InvalidListenerException failure = catchThrowableOfType(InvalidListenerException.class, () -> registry
				.register("orders", Integer.class, (task, delivery) -> TaskResult.done(), ListenerOptions.defaults()));
			assertThat(failure).hasMessageContaining(Base.class.getName() + ".handle(String)")
				.hasMessageContaining("the payload type");
		}
	}

	private void assertRefused(Class<?> listener, String method, String disagreement) {
		InvalidListenerException failure = catchThrowableOfType(InvalidListenerException.class,
				() -> start(Base.class, listener).close());
		assertThat(failure).hasMessageContaining(Base.class.getName() + ".handle(String)")
			.hasMessageContaining(listener.getName() + method)
			.hasMessageContaining("disagree on " + disagreement);
		assertThat(failure.getAction()).isNotEmpty();
	}

	private AnnotationConfigApplicationContext start(Class<?>... components) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean("registry", DelayQueueListenerContainerRegistry.class, this.fixture::registry);
		context.registerBean(DelayQueueListenerAnnotationBeanPostProcessor.class);
		context.register(components);
		context.refresh();
		return context;
	}

	record Order(@NotBlank String number) {

	}

	static class Orders {

		private final List<Order> handled = new CopyOnWriteArrayList<>();

		private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();

		@DelayQueueListener("orders")
		void close(@Valid Order order, DelayedTask<Order> task) {
			this.handled.add(order);
		}

		@DelayQueueListener("batches")
		boolean batches(List<DelayedTask<List<Integer>>> tasks) {
			tasks.forEach((task) -> this.batches.add(task.payload()));
			return true;
		}

	}

	static class Base {

		@DelayQueueListener(queue = "orders", ttr = "20s", maxAttempts = "3")
		void handle(String payload) {
		}

	}

	static class Agreeing {

		@DelayQueueListener(queue = "orders", ttr = "PT20S", maxAttempts = "3", concurrency = "1")
		void handle(DelayedTask<String> task) {
		}

	}

	static class OtherPayload {

		@DelayQueueListener(queue = "orders", ttr = "20s", maxAttempts = "3")
		void handle(Integer payload) {
		}

	}

	static class OtherTtr {

		@DelayQueueListener(queue = "orders", ttr = "21s", maxAttempts = "3")
		void handle(String payload) {
		}

	}

	static class OtherRetry {

		@DelayQueueListener(queue = "orders", ttr = "20s", maxAttempts = "3", retryDelays = "1s")
		void handle(String payload) {
		}

	}

	static class FirstId {

		@DelayQueueListener(queue = "first", id = "same")
		void handle(String payload) {
		}

	}

	static class SecondId {

		@DelayQueueListener(queue = "second", id = "same")
		void handle(String payload) {
		}

	}

}
