package io.github.delayqueue.annotation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.converter.ConverterFactory;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.listener.TaskResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What methods that handle one task at a time are given.
 */
class ParametersTests {

	private static final TaskResult DONE = TaskResult.done();

	@Test
	void everyParameterIsGivenInAnyOrder() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Everything.class)) {
			DelayQueueListenerEndpoint endpoint = context.endpoint();
			Delivery<?> delivery = Deliveries.of(new Order("a"), Map.of("tenant", "acme", "size", "7"));
			assertThat(Deliveries.handle(endpoint, delivery)).isEqualTo(DONE);
			assertThat(endpoint.payloadType()).isEqualTo(Order.class);
			assertThat(context.bean(Everything.class).arguments).containsExactly(delivery.context(), "acme",
					Map.of("tenant", "acme", "size", "7"), new Order("a"), 7, delivery.task());
		}
	}

	@Test
	void payloadTypeHasItsGenerics() {
		try (ListenerTestContext context = ListenerTestContext.of(Generics.class)) {
			assertThat(typeOf(context, "map"))
				.isEqualTo("java.util.Map<java.lang.String, java.util.List<" + Order.class.getName() + ">>");
			assertThat(typeOf(context, "task")).isEqualTo("java.util.List<" + Order.class.getName() + ">");
			assertThat(typeOf(context, "bounded")).isEqualTo(Order.class.getName());
			assertThat(typeOf(context, "list")).isEqualTo("java.util.List<" + Order.class.getName() + ">");
			assertThat(typeOf(context, "primitive")).isEqualTo("java.lang.Integer");
		}
	}

	@Test
	void typeVariableOfSuperclassIsResolved() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(OrderListener.class)) {
			assertThat(context.endpoint().payloadType()).isEqualTo(Order.class);
			Deliveries.handle(context.endpoint(), new Order("a"));
			assertThat(context.bean(OrderListener.class).handled).containsExactly(new Order("a"));
		}
	}

	@Test
	void methodWithoutPayloadTakesAny() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(WithoutPayload.class)) {
			assertThat(context.endpoints()).hasSize(4)
				.allSatisfy((endpoint) -> assertThat(endpoint.payloadType()).isEqualTo(Object.class));
			for (DelayQueueListenerEndpoint endpoint : context.endpoints()) {
				assertThat(Deliveries.handle(endpoint, Map.of("any", "thing"))).isEqualTo(DONE);
			}
			assertThat(context.bean(WithoutPayload.class).calls).containsExactlyInAnyOrder("nothing", "context", "task",
					"raw");
		}
	}

	@Test
	void optionalHeadersMayBeMissing() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(OptionalHeaders.class)) {
			assertThat(Deliveries.handle(context.endpoint(), "payload")).isEqualTo(DONE);
			assertThat(context.bean(OptionalHeaders.class).arguments).containsExactly(null, Optional.empty(), 5);
		}
	}

	@Test
	void headersAreConvertedByConvertersAmongTheBeans() throws Exception {
		for (ConversionService configured : Arrays.asList(null, new DefaultConversionService())) {
			try (ListenerTestContext context = ListenerTestContext.of(Map.of(), (beans) -> {
				beans.getBeanFactory().setConversionService(configured);
				beans.register(Converters.class, ConvertedHeaders.class);
			})) {
				assertThat(Deliveries.handle(context.endpoint(),
						Deliveries.of("payload", Map.of("tenant", "acme", "size", "7", "area", "nowhere"))))
					.isEqualTo(DONE);
				assertThat(context.bean(ConvertedHeaders.class).arguments).containsExactly(new Tenant("ACME"),
						Optional.of(new Tenant("ACME")), new Size(7), Area.ELSEWHERE);
			}
		}
	}

	@Test
	void headersAreThoseOfTheTaskAndNothingElse() throws Exception {
		Map<String, String> headers = Map.of("id", "mine", "timestamp", "yesterday");
		try (ListenerTestContext context = ListenerTestContext.of(AllHeaders.class)) {
			for (DelayQueueListenerEndpoint endpoint : context.endpoints()) {
				assertThat(Deliveries.handle(endpoint, Deliveries.of("payload", headers))).isEqualTo(DONE);
				assertThat(Deliveries.handle(endpoint, "payload")).isEqualTo(DONE);
			}
			assertThat(context.bean(AllHeaders.class).headers).hasSize(4)
				.allSatisfy((seen) -> assertThat(Map.copyOf(seen)).isIn(headers, Map.of()));
		}
	}

	@Test
	void taskWithoutRequiredHeaderIsDeadLettered() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(RequiredHeader.class)) {
			assertThat(Deliveries.handle(context.endpoint(), "payload"))
				.isEqualTo(TaskResult.deadLetter("Header for parameter 'int size' is missing"));
			assertThat(context.bean(RequiredHeader.class).called).isFalse();
		}
	}

	@Test
	void taskWhoseHeaderCannotBeConvertedIsDeadLetteredWithoutNamingTheValue() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(RequiredHeader.class)) {
			assertThat(Deliveries.handle(context.endpoint(), Deliveries.of("payload", Map.of("size", "secret"))))
				.isEqualTo(TaskResult.deadLetter("Header for parameter 'int size' cannot be converted"));
			assertThat(context.bean(RequiredHeader.class).called).isFalse();
		}
	}

	@Test
	void nullPayloadIsGivenWhereItMayBeNull() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(NullPayloads.class)) {
			assertThat(Deliveries.handle(context.endpoint("plain"), (Object) null)).isEqualTo(DONE);
			assertThat(Deliveries.handle(context.endpoint("optional"), (Object) null)).isEqualTo(DONE);
			assertThat(Deliveries.handle(context.endpoint("task"), (Object) null)).isEqualTo(DONE);
			assertThat(context.bean(NullPayloads.class).calls).isEqualTo(3);
		}
	}

	@Test
	void nullPayloadIsDeadLetteredWhereItMustNotBeNull() throws Exception {
		TaskResult deadLettered = TaskResult.deadLetter("Payload is null");
		try (ListenerTestContext context = ListenerTestContext.of(NullPayloads.class)) {
			assertThat(Deliveries.handle(context.endpoint("required"), (Object) null)).isEqualTo(deadLettered);
			assertThat(Deliveries.handle(context.endpoint("primitive"), (Object) null)).isEqualTo(deadLettered);
			assertThat(Deliveries.handle(context.endpoint("nonnull"), (Object) null)).isEqualTo(deadLettered);
			assertThat(context.bean(NullPayloads.class).calls).isZero();
		}
	}

	private static String typeOf(ListenerTestContext context, String queue) {
		return ResolvableType.forType(context.endpoint(queue).payloadType()).toString();
	}

	record Order(String number) {

	}

	static class Everything {

		private List<Object> arguments = List.of();

		@DelayQueueListener("orders")
		void handle(TaskContext context, @Header String tenant, @Headers Map<String, String> headers, Order order,
				@Header("size") int number, DelayedTask<Order> task) {
			this.arguments = List.of(context, tenant, headers, order, number, task);
		}

	}

	static class Generics {

		@DelayQueueListener("map")
		void map(Map<String, List<Order>> payload) {
		}

		@DelayQueueListener("task")
		void task(DelayedTask<List<Order>> task) {
		}

		@DelayQueueListener("bounded")
		void bounded(DelayedTask<? extends Order> task) {
		}

		@DelayQueueListener("list")
		void list(List<Order> payload) {
		}

		@DelayQueueListener("primitive")
		void primitive(int payload) {
		}

	}

	static class BaseListener<T> {

		final List<T> handled = new ArrayList<>();

		@DelayQueueListener("orders")
		void handle(T payload) {
			this.handled.add(payload);
		}

	}

	static class OrderListener extends BaseListener<Order> {

	}

	static class WithoutPayload {

		private final List<String> calls = new ArrayList<>();

		@DelayQueueListener("a")
		void nothing() {
			this.calls.add("nothing");
		}

		@DelayQueueListener("b")
		void context(TaskContext context, @Headers Map<String, String> headers) {
			this.calls.add("context");
		}

		@DelayQueueListener("c")
		void task(DelayedTask<?> task) {
			this.calls.add("task");
		}

		@DelayQueueListener("d")
		@SuppressWarnings("rawtypes")
		void raw(DelayedTask task) {
			this.calls.add("raw");
		}

	}

	static class OptionalHeaders {

		private List<Object> arguments = List.of();

		@DelayQueueListener("orders")
		void handle(@Header(required = false) String tenant, @Header Optional<String> user,
				@Header(defaultValue = "5") int size) {
			this.arguments = Arrays.asList(tenant, user, size);
		}

	}

	static class AllHeaders {

		private final List<Map<String, ?>> headers = new ArrayList<>();

		@DelayQueueListener("map")
		void map(@Headers Map<String, String> headers) {
			this.headers.add(headers);
		}

		@DelayQueueListener("headers")
		void headers(MessageHeaders headers) {
			this.headers.add(headers);
		}

	}

	static class ConvertedHeaders {

		private List<Object> arguments = List.of();

		@DelayQueueListener("orders")
		void handle(@Header Tenant tenant, @Header("tenant") Optional<Tenant> optional, @Header Size size,
				@Header Area area) {
			this.arguments = List.of(tenant, optional, size, area);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Converters {

		@Bean
		Converter<String, Tenant> lambda() {
			return (text) -> new Tenant(text.toUpperCase(Locale.ROOT));
		}

		@Bean
		ToSize toSize() {
			return new ToSize();
		}

		@Bean
		ConverterFactory<String, Enum<?>> toEnums() {
			return new ConverterFactory<>() {
				@Override
				public <T extends Enum<?>> Converter<String, T> getConverter(Class<T> targetType) {
					return (text) -> targetType.getEnumConstants()[1];
				}
			};
		}

	}

	static class ToSize implements Converter<String, Size> {

		@Override
		public Size convert(String text) {
			return new Size(Integer.parseInt(text));
		}

	}

	record Tenant(String name) {

	}

	/** Without a constructor that takes a text. */
	record Size(int value) {

	}

	enum Area {

		HERE, ELSEWHERE

	}

	static class RequiredHeader {

		private boolean called;

		@DelayQueueListener("orders")
		void handle(@Header int size) {
			this.called = true;
		}

	}

	@NullUnmarked
	static class NullPayloads {

		private int calls;

		@DelayQueueListener("plain")
		void plain(Order order) {
			this.calls++;
		}

		@DelayQueueListener("optional")
		void optional(@Payload(required = false) Order order) {
			this.calls++;
		}

		@DelayQueueListener("task")
		void task(DelayedTask<Order> task) {
			this.calls++;
		}

		@DelayQueueListener("required")
		void required(@Payload Order order) {
			this.calls++;
		}

		@DelayQueueListener("primitive")
		void primitive(int number) {
			this.calls++;
		}

		@DelayQueueListener("nonnull")
		void nonNull(@NonNull Order order) {
			this.calls++;
		}

	}

}
