package io.github.delayqueue.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.listener.InvalidListenerException;

/** An annotated method as the user wrote it, which the type of beans may inherit. */
record ListenerMethod(Class<?> beanType, Method method, List<DelayQueueListener> annotations) {

	/** The annotated methods of a class, inherited ones included, always in one order. */
	static List<ListenerMethod> of(Class<?> beanType) {
		if (!AnnotationUtils.isCandidateClass(beanType, DelayQueueListener.class)) {
			return List.of();
		}
		Map<Method, List<DelayQueueListener>> methods = MethodIntrospector.selectMethods(beanType,
				ListenerMethod::annotationsOf);
		return methods.entrySet()
			.stream()
			.map((entry) -> new ListenerMethod(beanType, entry.getKey(), entry.getValue()))
			.sorted(Comparator.comparing(ListenerMethod::describe))
			.toList();
	}

	private static @Nullable List<DelayQueueListener> annotationsOf(Method method) {
		// What a method declares itself replaces what it would inherit
		Collection<DelayQueueListener> annotations = AnnotatedElementUtils.getMergedRepeatableAnnotations(method,
				DelayQueueListener.class, DelayQueueListeners.class);
		if (annotations.isEmpty()) {
			annotations = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, DelayQueueListener.class,
					DelayQueueListeners.class);
		}
		return (!annotations.isEmpty()) ? List.copyOf(annotations) : null;
	}

	/** The one of an interface that this implements, which may be generic. */
	@Nullable Method interfaceMethod(Class<?>[] interfaces) {
		return Arrays.stream(interfaces)
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((candidate) -> candidate.getName().equals(this.method.getName())
					&& candidate.getParameterCount() == this.method.getParameterCount())
			.filter((candidate) -> BridgeMethodResolver
				.findBridgedMethod(ClassUtils.getMostSpecificMethod(candidate, this.beanType))
				.equals(this.method))
			.findFirst()
			.orElse(null);
	}

	/** Whether it is a suspend function, whose last parameter nobody wrote. */
	boolean isSuspending() {
		return KotlinDetector.isSuspendingFunction(this.method);
	}

	/** What a suspend function returns, as Java knows it. */
	ResolvableType suspendedType() {
		int last = this.method.getParameterCount() - 1;
		// Continuation<? super T>
		ResolvableType result = ResolvableType.forMethodParameter(this.method, last, this.beanType).getGeneric();
		return (result.getType() instanceof WildcardType wildcard && wildcard.getLowerBounds().length > 0)
				? ResolvableType.forType(wildcard.getLowerBounds()[0], result) : result;
	}

	String describe() {
		return this.beanType.getName() + "." + this.method.getName()
				+ Arrays.stream(this.method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

	/** An exception that begins with this method, and goes on with the problem. */
	InvalidListenerException invalid(String problem, String action) {
		return invalid(problem, action, null);
	}

	InvalidListenerException invalid(String problem, String action, @Nullable Throwable cause) {
		boolean deadLetters = this.annotations.stream().anyMatch(DelayQueueListener::deadLetters);
		return new InvalidListenerException(null,
				(deadLetters ? "@DeadLetterListener method " : "@DelayQueueListener method ") + describe() + " "
						+ problem,
				action, cause);
	}

}
