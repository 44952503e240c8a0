package io.github.delayqueue.annotation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

import io.github.delayqueue.annotation.ListenerParameter.ParameterKind;
import io.github.delayqueue.convert.DeadLetter;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.OptionTable;
import io.github.delayqueue.options.QueueOptions;

/** From annotated methods of a bean to endpoints. Not thread-safe. */
final class EndpointFactory {

	private final ConfigurableBeanFactory beanFactory;

	private final List<Option<?>> options;

	private final Supplier<HeaderArguments> headers;

	private final Map<String, Integer> generatedIds = new HashMap<>();

	EndpointFactory(ConfigurableBeanFactory beanFactory, List<Option<?>> options) {
		this.beanFactory = beanFactory;
		this.options = options;
		this.headers = SingletonSupplier.of(() -> new HeaderArguments(beanFactory));
	}

	/** An endpoint for each queue of each annotation of a method. */
	List<DelayQueueListenerEndpoint> create(String beanName, Object bean, ListenerMethod method) {
		List<DelayQueueListenerEndpoint> endpoints = new ArrayList<>();
		for (DelayQueueListener annotation : method.annotations()) {
			AttributeMapper attributes = new AttributeMapper(method, annotation,
					new AttributeReader(this.beanFactory, method, bean));
			int number = 0;
			for (String queue : attributes.queues()) {
				endpoints.add(create(bean, method, attributes, queue, id(beanName, method, attributes, ++number)));
			}
		}
		return endpoints;
	}

	private DelayQueueListenerEndpoint create(Object bean, ListenerMethod method, AttributeMapper attributes,
			String queue, String id) {
		boolean deadLetters = attributes.annotation().deadLetters();
		QueueOptions read = attributes.options(this.options);
		ListenerSignature signature = ListenerSignature.of(method, read.own(OptionTable.BATCH_SIZE), deadLetters);
		DeliveryHandler handler = handler(bean, method, signature);
		if (!signature.batch()) {
			// a method that takes one task at a time does so whatever the properties say
			read = read.toBuilder().batchSize(1).build();
		}
		ListenerOptions options = new ListenerOptions(id, read, attributes.recurrence());
		if (options.recurrence() != null) {
			requireNoHeaders(method, signature);
			if (deadLetters) {
				throw method.invalid("handles dead letters, and has 'every' or 'cron'", "Remove them.");
			}
		}
		return deadLetters
				? DelayQueueListenerEndpoint.ofDeadLetters(id, queue, signature.payloadType(), handler, options,
						method.describe())
				: new DelayQueueListenerEndpoint(id, queue, signature.payloadType(), handler, options,
						method.describe());
	}

	private static void requireNoHeaders(ListenerMethod method, ListenerSignature signature) {
		for (ListenerParameter parameter : signature.parameters()) {
			if (parameter.kind() == ParameterKind.HEADER && HeaderArguments.isRequired(parameter)) {
				throw method.invalid(
						"has a recurring task of its own, which has no headers, but requires one: "
								+ parameter.describe(),
						"Set 'required = false' or a default value in its @Header, or remove the parameter.");
			}
		}
	}

	/** Of the queues of one annotation the first has the id that is written there. */
	private String id(String beanName, ListenerMethod method, AttributeMapper attributes, int number) {
		String id = attributes.id();
		if (id != null) {
			return (number > 1) ? id + "#" + number : id;
		}
		String generated = beanName + "." + method.method().getName();
		int count = this.generatedIds.merge(generated, 1, Integer::sum);
		return (count > 1) ? generated + "#" + count : generated;
	}

	private DeliveryHandler handler(Object bean, ListenerMethod method, ListenerSignature signature) {
		ResultMapping results = ResultMapping.of(method, signature.batch());
		MethodInvoker invoker = MethodInvoker.of(method, bean);
		PayloadCheck payloadCheck = PayloadCheck.of(this.beanFactory, method, signature);
		return new ListenerMethodHandler(invoker, signature.batch(),
				signature.parameters().stream().map((parameter) -> argument(method, parameter)).toList(), payloadCheck,
				results);
	}

	private Function<Delivery<?>, @Nullable Object> argument(ListenerMethod method, ListenerParameter parameter) {
		return switch (parameter.kind()) {
			case TASK -> Delivery::task;
			case CONTEXT -> Delivery::context;
			case FAILURE -> (delivery) -> DeadLetter.failure(delivery.task().headers());
			case HEADER -> this.headers.get().single(method, parameter);
			case HEADERS -> HeaderArguments.all(parameter);
			case PAYLOAD -> (delivery) -> delivery.task().payload();
		};
	}

}
