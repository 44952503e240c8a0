package io.github.delayqueue.annotation;

import java.util.Map;

import jakarta.validation.Validator;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;
import org.springframework.messaging.handler.annotation.Header;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.listener.TaskContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hints for native images.
 */
class ListenerHintsAotProcessorTests {

	@Test
	void processorIsFoundByTheAotEngine() {
		assertThat(AotServices.factories().load(BeanRegistrationAotProcessor.class))
			.hasAtLeastOneElementOfType(ListenerHintsAotProcessor.class);
	}

	@Test
	void methodsCanBeInvoked() throws Exception {
		RuntimeHints hints = hintsOf(Listeners.class);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(Listeners.class.getDeclaredMethod("task", DelayedTask.class, TaskContext.class)))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(Listeners.class.getDeclaredMethod("inherited", Map.class))).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(Handler.class.getDeclaredMethod("inherited", Map.class))).accepts(hints);
	}

	@Test
	void annotationsHaveProxiesAndValidatorsAreFound() {
		RuntimeHints hints = hintsOf(Listeners.class);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(DelayQueueListener.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Header.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Validator.class)).accepts(hints);
	}

	@Test
	void payloadsCanBeRead() {
		RuntimeHints hints = hintsOf(Listeners.class);
		for (Class<?> payload : new Class<?>[] { Order.class, Item.class, Booking.class, Coupon.class }) {
			assertThat(RuntimeHintsPredicates.reflection().onType(payload)).accepts(hints);
			assertThat(
					RuntimeHintsPredicates.reflection().onConstructorInvocation(payload.getDeclaredConstructors()[0]))
				.accepts(hints);
		}
	}

	@Test
	void otherParametersAndBeansGetNoHints() {
		RuntimeHints hints = hintsOf(Listeners.class);
		assertThat(RuntimeHintsPredicates.reflection().onType(TaskContext.class)).rejects(hints);
		assertThat(hintsOf(Other.class).reflection().typeHints()).noneMatch((hint) -> hint.getType()
			.getName()
			.startsWith(ListenerHintsAotProcessorTests.class.getName() + "$Order"));
	}

	private static RuntimeHints hintsOf(Class<?> bean) {
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBean(bean);
		GenerationContext generationContext = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(ListenerHintsAotProcessorTests.class)),
				new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generationContext);
		return generationContext.getRuntimeHints();
	}

	record Order(String number, Item item) {

	}

	record Item(String name) {

	}

	record Booking(String phone) {

	}

	record Coupon(String owner) {

	}

	interface Handler {

		void inherited(Map<String, Coupon> payload);

	}

	static class Listeners implements Handler {

		@DelayQueueListener("orders")
		void task(DelayedTask<Order> task, TaskContext context) {
		}

		@DelayQueueListener("bookings")
		@DelayQueueListener("more_bookings")
		void booking(Booking booking, @Header String tenant) {
		}

		@Override
		@DelayQueueListener("coupons")
		public void inherited(Map<String, Coupon> payload) {
		}

	}

	static class Other {

		void order(Order order) {
		}

	}

}
