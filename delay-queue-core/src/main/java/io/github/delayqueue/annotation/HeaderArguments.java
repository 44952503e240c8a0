package io.github.delayqueue.annotation;

import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.messaging.MessageHandlingException;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.ValueConstants;
import org.springframework.messaging.handler.annotation.support.HeaderMethodArgumentResolver;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.function.ThrowingFunction;

import io.github.delayqueue.listener.Delivery;

/**
 * Arguments that are headers of a task.
 */
final class HeaderArguments {

	private final ConversionService conversionService;

	private final HeaderMethodArgumentResolver resolver;

	HeaderArguments(ConfigurableBeanFactory beanFactory) {
		ConversionService configured = beanFactory.getConversionService();
		this.conversionService = (configured != null) ? configured : new DefaultFormattingConversionService();
		this.resolver = new HeaderMethodArgumentResolver(this.conversionService, beanFactory);
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
		if (!this.conversionService.canConvert(TypeDescriptor.valueOf(String.class), target)) {
			throw method.invalid(
					"has a @Header parameter " + listenerParameter.describe() + ", to which text cannot be converted",
					"Declare it as String, or add a Converter to the application's ConversionService.");
		}
		return ThrowingFunction.of((delivery) -> resolve(delivery, listenerParameter), IllegalStateException::new);
	}

	private @Nullable Object resolve(Delivery<?> delivery, ListenerParameter parameter) throws Exception {
		try {
			return this.resolver.resolveArgument(parameter.parameter(),
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
