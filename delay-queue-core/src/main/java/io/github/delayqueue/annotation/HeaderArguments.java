package io.github.delayqueue.annotation;

import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.converter.ConverterFactory;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.messaging.MessageHandlingException;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.ValueConstants;
import org.springframework.messaging.handler.annotation.support.HeaderMethodArgumentResolver;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.function.ThrowingFunction;

import io.github.delayqueue.listener.Delivery;

/** Arguments that are headers of a task. */
final class HeaderArguments {

	private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);

	private final ConfigurableBeanFactory beanFactory;

	private final @Nullable ConversionService configured;

	/** Knows the converters among the beans and nothing else. */
	private final ConversionService beans;

	/** Knows them beside those of Spring. */
	private final ConversionService all;

	HeaderArguments(ConfigurableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.configured = beanFactory.getConversionService();
		this.beans = withBeans(new GenericConversionService());
		this.all = withBeans(new DefaultFormattingConversionService());
	}

	private <T extends ConverterRegistry> T withBeans(T registry) {
		this.beanFactory.getBeanProvider(GenericConverter.class).orderedStream().forEach(registry::addConverter);
		this.beanFactory.getBeanProvider(ConverterFactory.class).orderedStream().forEach(registry::addConverterFactory);
		if (this.beanFactory instanceof ConfigurableListableBeanFactory listable) {
			for (String name : listable.getBeanNamesForType(Converter.class)) {
				addConverter(registry, listable, name);
			}
		}
		return registry;
	}

	/** Of a lambda only the bean's definition knows the types. */
	@SuppressWarnings({ "rawtypes", "unchecked" })
	private static void addConverter(ConverterRegistry registry, ConfigurableListableBeanFactory beanFactory,
			String name) {
		Converter converter = beanFactory.getBean(name, Converter.class);
		ResolvableType type = beanFactory.containsBeanDefinition(name)
				? beanFactory.getMergedBeanDefinition(name).getResolvableType().as(Converter.class)
				: ResolvableType.NONE;
		Class<?> source = type.getGeneric(0).resolve();
		Class<?> target = type.getGeneric(1).resolve();
		if (source != null && target != null) {
			registry.addConverter((Class) source, (Class) target, converter);
		}
		else {
			registry.addConverter(converter);
		}
	}

	static Function<Delivery<?>, @Nullable Object> all(ListenerParameter parameter) {
		if (parameter.parameter().getParameterType() == MessageHeaders.class) {
			return (delivery) -> new TaskHeaders(delivery.task().headers());
		}
		return (delivery) -> delivery.task().headers();
	}

	static boolean isRequired(ListenerParameter parameter) {
		Header annotation = parameter.parameter().getParameterAnnotation(Header.class);
		return annotation != null && annotation.required()
				&& annotation.defaultValue().equals(ValueConstants.DEFAULT_NONE) && !parameter.parameter().isOptional();
	}

	Function<Delivery<?>, @Nullable Object> single(ListenerMethod method, ListenerParameter listenerParameter) {
		MethodParameter parameter = listenerParameter.parameter();
		TypeDescriptor target = new TypeDescriptor(parameter.nestedIfOptional());
		ConversionService service = (this.configured != null && this.configured.canConvert(TEXT, target)
				&& !this.beans.canConvert(TEXT, target)) ? this.configured : this.all;
		if (!service.canConvert(TEXT, target)) {
			throw method.invalid(
					"has a @Header parameter " + listenerParameter.describe() + ", to which text cannot be converted",
					"Declare it as String, or declare a Converter<String, …> bean.");
		}
		HeaderMethodArgumentResolver resolver = new HeaderMethodArgumentResolver(service, this.beanFactory);
		return ThrowingFunction.of((delivery) -> resolve(resolver, delivery, listenerParameter),
				IllegalStateException::new);
	}

	private static @Nullable Object resolve(HeaderMethodArgumentResolver resolver, Delivery<?> delivery,
			ListenerParameter parameter) throws Exception {
		try {
			return resolver.resolveArgument(parameter.parameter(),
					new GenericMessage<>(delivery, new TaskHeaders(delivery.task().headers())));
		}
		catch (MessageHandlingException ex) {
			throw new UnusableTaskException("Header for parameter " + parameter.describe() + " is missing", ex);
		}
		catch (ConversionException ex) {
			throw new UnusableTaskException("Header for parameter " + parameter.describe() + " cannot be converted",
					ex);
		}
	}

	/** It stays so however often the task is delivered; its message is kept with it. */
	static final class UnusableTaskException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnusableTaskException(String message, Throwable cause) {
			super(message, cause);
		}

	}

	/**
	 * For spring-messaging the headers of a task and nothing else, without the id and
	 * time stamp that it makes for each message otherwise.
	 */
	private static final class TaskHeaders extends MessageHeaders {

		private static final long serialVersionUID = 1L;

		TaskHeaders(Map<String, String> headers) {
			super(null, ID_VALUE_NONE, -1L);
			// Not through the constructor, which would leave out headers called id or
			// timestamp
			getRawHeaders().putAll(headers);
		}

	}

}
