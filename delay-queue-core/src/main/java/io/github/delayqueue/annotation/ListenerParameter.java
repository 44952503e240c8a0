package io.github.delayqueue.annotation;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.listener.TaskContext;

/**
 * A parameter of an annotated method and what it is given. With {@code list} it can be
 * given what a batch has. Without a {@code payloadType} it takes any, or none.
 */
record ListenerParameter(MethodParameter parameter, ParameterKind kind, Type type, boolean list,
		@Nullable Type payloadType) {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	/** {@code FAILURE} is why a task that is a dead letter has died. */
	enum ParameterKind {

		PAYLOAD, TASK, CONTEXT, FAILURE, HEADER, HEADERS

	}

	/** The parameters of a method; a failure is a payload unless of dead letters. */
	static List<ListenerParameter> of(Method method, Class<?> beanType, boolean deadLetters) {
		int written = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
		return Arrays.stream(new AnnotatedMethod(method).getMethodParameters())
			.limit(written)
			.map((parameter) -> of(parameter, beanType, deadLetters))
			.toList();
	}

	private static ListenerParameter of(MethodParameter parameter, Class<?> beanType, boolean deadLetters) {
		parameter.initParameterNameDiscovery(NAMES);
		Type type = GenericTypeResolver.resolveType(parameter.getGenericParameterType(), beanType);
		Class<?> declared = parameter.getParameterType();
		boolean list = declared == List.class || declared == Collection.class;
		Type element = list ? argumentOf(type) : type;
		Class<?> elementClass = (element != null) ? ResolvableType.forType(element).resolve() : null;
		if (parameter.hasParameterAnnotation(Header.class)) {
			return new ListenerParameter(parameter, ParameterKind.HEADER, type, false, null);
		}
		if (parameter.hasParameterAnnotation(Headers.class) || declared == MessageHeaders.class) {
			return new ListenerParameter(parameter, ParameterKind.HEADERS, type, false, null);
		}
		if (deadLetters && declared == TaskFailure.class) {
			return new ListenerParameter(parameter, ParameterKind.FAILURE, type, false, null);
		}
		if (elementClass == TaskContext.class) {
			return new ListenerParameter(parameter, ParameterKind.CONTEXT, type, list, null);
		}
		if (element != null && elementClass == DelayedTask.class) {
			return new ListenerParameter(parameter, ParameterKind.TASK, type, list, argumentOf(element));
		}
		return new ListenerParameter(parameter, ParameterKind.PAYLOAD, type, list,
				ClassUtils.isPrimitiveOrWrapper(declared) ? ClassUtils.resolvePrimitiveIfNecessary(declared) : type);
	}

	/** What its list consists of, {@code null} if it takes any. */
	@Nullable Type elementType() {
		return argumentOf(this.type);
	}

	String describe() {
		String name = this.parameter.getParameterName();
		return "'" + ResolvableType.forType(this.type) + ((name != null) ? " " + name : "") + "'";
	}

	/** The only argument of a type, of a wildcard the bound; {@code null} without. */
	private static @Nullable Type argumentOf(Type type) {
		if (!(type instanceof ParameterizedType parameterized)) {
			return null;
		}
		Type argument = parameterized.getActualTypeArguments()[0];
		if (argument instanceof WildcardType wildcard) {
			Type[] lower = wildcard.getLowerBounds();
			argument = (lower.length > 0) ? lower[0] : wildcard.getUpperBounds()[0];
		}
		return (argument != Object.class) ? argument : null;
	}

	/** Whether a type says what its objects are: not if it contains a type variable. */
	static boolean isResolved(Type type) {
		if (type instanceof ParameterizedType parameterized) {
			return Arrays.stream(parameterized.getActualTypeArguments()).allMatch(ListenerParameter::isResolved);
		}
		if (type instanceof WildcardType wildcard) {
			return Arrays.stream(wildcard.getUpperBounds()).allMatch(ListenerParameter::isResolved);
		}
		if (type instanceof GenericArrayType array) {
			return isResolved(array.getGenericComponentType());
		}
		return !(type instanceof TypeVariable);
	}

}
