package io.github.delayqueue.annotation;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.annotation.AliasFor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.TaskResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which beans and methods are found, and what they are called.
 */
class ListenerBeansTests {

	private static final TaskResult DONE = TaskResult.done();

	@Test
	void contextWithoutListenersNeedsNoRegistry() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
				DelayQueueListenerAnnotationBeanPostProcessor.class, NoListener.class)) {
			assertThat(context.isRunning()).isTrue();
		}
	}

	@Test
	void listenerWithoutRegistryIsRefused() {
		assertThatExceptionOfType(NoSuchBeanDefinitionException.class)
			.isThrownBy(() -> new AnnotationConfigApplicationContext(
					DelayQueueListenerAnnotationBeanPostProcessor.class, Orders.class))
			.withMessageContaining(DelayQueueListenerContainerRegistry.class.getName());
	}

	@Test
	void idIsMadeOfTheNamesOfBeanAndMethod() {
		try (ListenerTestContext context = ListenerTestContext.of(Map.of(),
				(beans) -> beans.registerBean("orders", Orders.class))) {
			assertThat(context.endpoint().id()).isEqualTo("orders.close");
			assertThat(context.endpoint().options().id()).isEqualTo("orders.close");
			assertThat(context.endpoint().description()).isEqualTo(Orders.class.getName() + ".close(String)");
		}
	}

	@Test
	void idsOfTheSameNamesAreNumberedInTheSameOrderEachTime() {
		try (ListenerTestContext context = ListenerTestContext.of(Map.of(),
				(beans) -> beans.registerBean("orders", Overloaded.class))) {
			assertThat(context.endpoints()).extracting(DelayQueueListenerEndpoint::id)
				.containsExactly("orders.close", "orders.close#2", "orders.close#3");
			assertThat(context.endpoints()).extracting(DelayQueueListenerEndpoint::queue)
				.containsExactly("number", "first", "second");
		}
	}

	@Test
	void repeatedAnnotationIsListenerForEach() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Repeated.class)) {
			assertThat(context.endpoints()).extracting(DelayQueueListenerEndpoint::queue)
				.containsExactly("first", "second");
			for (DelayQueueListenerEndpoint endpoint : context.endpoints()) {
				assertThat(Deliveries.handle(endpoint, "payload")).isEqualTo(DONE);
			}
			assertThat(context.bean(Repeated.class).calls).isEqualTo(2);
		}
	}

	@Test
	void metaAnnotationIsFoundWithItsAliases() {
		try (ListenerTestContext context = ListenerTestContext.of(Composed.class)) {
			DelayQueueListenerEndpoint plain = context.endpoint("orders");
			assertThat(plain.options().own().concurrency()).isEqualTo(2);
			assertThat(plain.id()).isEqualTo("plain");
			DelayQueueListenerEndpoint other = context.endpoint("others");
			assertThat(other.options().own().concurrency()).isEqualTo(4);
		}
	}

	@Test
	void metaAnnotationNextToAnnotationIsListenerForEach() {
		try (ListenerTestContext context = ListenerTestContext.of(ComposedAndPlain.class)) {
			assertThat(context.endpoints()).extracting(DelayQueueListenerEndpoint::queue)
				.containsExactlyInAnyOrder("orders", "payments");
		}
	}

	@Test
	void annotationOfInterfaceIsInherited() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Inheriting.class)) {
			assertThat(context.endpoint().queue()).isEqualTo("of-interface");
			assertThat(Deliveries.handle(context.endpoint(), "payload")).isEqualTo(DONE);
			assertThat(context.bean(Inheriting.class).calls).isOne();
		}
	}

	@Test
	void beanWhoseDeclaredTypeIsInterfaceIsFound() {
		try (ListenerTestContext context = ListenerTestContext.of(InterfaceTyped.class)) {
			assertThat(context.endpoint().queue()).isEqualTo("hidden");
		}
	}

	@Test
	void lazyBeanIsCreatedWithTheApplication() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LazyListener.class)) {
			assertThat(context.endpoint().queue()).isEqualTo("orders");
			assertThat(Deliveries.handle(context.endpoint(), "payload")).isEqualTo(DONE);
		}
	}

	@Test
	void beanThatIsCreatedLaterIsRegisteredThen() {
		try (ListenerTestContext context = ListenerTestContext.of(LazyInterfaceTyped.class)) {
			assertThat(context.endpoints()).isEmpty();
			context.context().getBean("hidden");
			assertThat(context.endpoint().queue()).isEqualTo("hidden");
			assertThat(context.endpoint().id()).isEqualTo("hidden.handle");
		}
	}

	@Test
	void prototypeIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(Prototype.class);
		assertThat(failure).hasMessage("@DelayQueueListener method " + Prototype.class.getName()
				+ ".handle(String) belongs to the bean 'listenerBeansTests.Prototype', which is no singleton");
		assertThat(failure.getAction()).contains("Make the bean a singleton").contains("proxyMode");
	}

	@Test
	void scopedProxyIsCalledForTheBeanOfItsScope() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Map.of(), (beans) -> {
			beans.registerBean(CustomScopeConfigurer.class, () -> {
				CustomScopeConfigurer configurer = new CustomScopeConfigurer();
				configurer.addScope("thread", new SimpleThreadScope());
				return configurer;
			});
			beans.register(Scoped.class);
		})) {
			assertThat(Deliveries.handle(context.endpoint(), "payload")).isEqualTo(DONE);
			assertThat(context.bean(Scoped.class).calls()).isOne();
			List<Integer> callsOfOther = new ArrayList<>();
			Thread other = new Thread(() -> callsOfOther.add(context.bean(Scoped.class).calls()));
			other.start();
			other.join();
			assertThat(callsOfOther).containsExactly(0);
			assertThat(context.endpoints()).hasSize(1);
		}
	}

	static class NoListener {

	}

	static class Orders {

		@DelayQueueListener("orders")
		void close(String payload) {
		}

	}

	static class Overloaded {

		@DelayQueueListener("first")
		@DelayQueueListener("second")
		void close(String payload) {
		}

		@DelayQueueListener("number")
		void close(Integer payload) {
		}

	}

	static class Repeated {

		private int calls;

		@DelayQueueListener("first")
		@DelayQueueListener("second")
		void handle(String payload) {
			this.calls++;
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@DelayQueueListener(queue = "orders", concurrency = "2")
	@interface OrderListener {

		@AliasFor(annotation = DelayQueueListener.class)
		String value() default "orders";

		@AliasFor(annotation = DelayQueueListener.class)
		String id() default "";

		@AliasFor(annotation = DelayQueueListener.class, attribute = "concurrency")
		String threads() default "2";

	}

	static class Composed {

		@OrderListener(id = "plain")
		void plain(String payload) {
		}

		@OrderListener(value = "others", threads = "4")
		void others(String payload) {
		}

	}

	static class ComposedAndPlain {

		@OrderListener
		@DelayQueueListener("payments")
		void handle(String payload) {
		}

	}

	interface Handler {

		@DelayQueueListener("of-interface")
		void handle(String payload);

	}

	static class Inheriting implements Handler {

		private int calls;

		@Override
		public void handle(String payload) {
			this.calls++;
		}

	}

	static class Hidden implements Runnable {

		@Override
		public void run() {
		}

		@DelayQueueListener("hidden")
		void handle(String payload) throws IOException {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InterfaceTyped {

		@Bean
		Runnable hidden() {
			return new Hidden();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyInterfaceTyped {

		@Bean
		@Lazy
		Runnable hidden() {
			return new Hidden();
		}

	}

	@Lazy
	static class LazyListener {

		@DelayQueueListener("orders")
		void handle(String payload) {
		}

	}

	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	static class Prototype {

		@DelayQueueListener("orders")
		void handle(String payload) {
		}

	}

	@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class Scoped {

		private int calls;

		@DelayQueueListener("orders")
		void handle(String payload) {
			this.calls++;
		}

		int calls() {
			return this.calls;
		}

	}

}
