package io.github.delayqueue.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.util.Arrays;
import java.util.stream.Stream;

import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;

/**
 * Whether a parameter is declared to be never {@code null}: by Kotlin, or by JSpecify. As
 * {@code Nullness} of Spring 7 says it, which Spring 6 does not have.
 */
final class NonNullParameter {

	private NonNullParameter() {
	}

	static boolean is(MethodParameter parameter) {
		Class<?> declaring = parameter.getDeclaringClass();
		if (KotlinDetector.isKotlinType(declaring)) {
			return !parameter.isOptional();
		}
		AnnotatedType type = parameter.getParameter().getAnnotatedType();
		if (type.isAnnotationPresent(Nullable.class) || hasNullable(parameter)) {
			return false;
		}
		return parameter.getParameterType().isPrimitive() || type.isAnnotationPresent(NonNull.class)
				|| isMarked(parameter.getExecutable(), declaring, declaring.getPackage());
	}

	/** Any, of whatever package. */
	private static boolean hasNullable(MethodParameter parameter) {
		return Arrays.stream(parameter.getParameterAnnotations())
			.anyMatch((annotation) -> annotation.annotationType().getSimpleName().equals("Nullable"));
	}

	/** The first that is marked either way decides. */
	private static boolean isMarked(AnnotatedElement... fromInside) {
		return Stream.of(fromInside)
			.filter((element) -> element.isAnnotationPresent(NullMarked.class)
					|| element.isAnnotationPresent(NullUnmarked.class))
			.findFirst()
			.filter((element) -> element.isAnnotationPresent(NullMarked.class))
			.isPresent();
	}

}
