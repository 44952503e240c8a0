package io.github.delayqueue.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.ClassUtils;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.ValidationAnnotationUtils;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

import io.github.delayqueue.annotation.ListenerParameter.ParameterKind;

/** What a payload has to be for a method to be called with it. */
record PayloadCheck(boolean required, @Nullable Validator validator, Object[] groups) {

	static final String JAKARTA_VALIDATOR = "jakarta.validation.Validator";

	static final boolean JAKARTA = ClassUtils.isPresent(JAKARTA_VALIDATOR, PayloadCheck.class.getClassLoader());

	/** Asks beans that are validators, Spring's or Jakarta's, if a parameter wants it. */
	static PayloadCheck of(BeanFactory beanFactory, ListenerMethod method, ListenerSignature signature) {
		boolean required = isRequired(signature);
		Object[] groups = groups(signature);
		if (groups == null) {
			return new PayloadCheck(required, null, new Object[0]);
		}
		Class<?> type = ResolvableType.forType(signature.payloadType()).toClass();
		Validator validator = validators(beanFactory).filter((candidate) -> candidate.supports(type))
			.findFirst()
			.orElseThrow(() -> method.invalid(
					"asks for its payload to be validated, but there is no Validator bean for " + type.getName(),
					"Add spring-boot-starter-validation (or a LocalValidatorFactoryBean), "
							+ "or remove @Valid or @Validated."));
		return new PayloadCheck(required, validator, groups);
	}

	private static boolean isRequired(ListenerSignature signature) {
		ListenerParameter payload = signature.payload();
		if (payload == null) {
			return false;
		}
		MethodParameter parameter = payload.parameter();
		Payload annotation = parameter.getParameterAnnotation(Payload.class);
		if (annotation != null) {
			return annotation.required() || parameter.getParameterType().isPrimitive();
		}
		return !signature.batch() && isNonNull(parameter);
	}

	/**
	 * Whether a parameter is declared to be never {@code null}: by Kotlin, or by
	 * JSpecify. As {@code Nullness} of Spring 7 says it, which Spring 6 does not have.
	 */
	private static boolean isNonNull(MethodParameter parameter) {
		Class<?> declaring = parameter.getDeclaringClass();
		AnnotatedType type = parameter.getParameter().getAnnotatedType();
		if (parameter.isOptional() || type.isAnnotationPresent(Nullable.class)) {
			return false;
		}
		return parameter.getParameterType().isPrimitive() || KotlinDetector.isKotlinType(declaring)
				|| type.isAnnotationPresent(NonNull.class)
				|| isMarked(parameter.getExecutable(), declaring, declaring.getPackage());
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

	private static Object @Nullable [] groups(ListenerSignature signature) {
		return signature.parameters()
			.stream()
			.filter((parameter) -> parameter.kind() == ParameterKind.PAYLOAD || parameter.kind() == ParameterKind.TASK)
			.flatMap((parameter) -> Arrays.stream(parameter.parameter().getParameterAnnotations()))
			.map(ValidationAnnotationUtils::determineValidationHints)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private static Stream<Validator> validators(BeanFactory beanFactory) {
		Validator preferred = beanFactory.getBeanProvider(Validator.class).getIfUnique();
		Stream<Validator> others = beanFactory.getBeanProvider(Validator.class).orderedStream();
		return Stream
			.of(Stream.ofNullable(preferred), others,
					JAKARTA ? JakartaValidation.validators(beanFactory) : Stream.<Validator>empty())
			.flatMap((stream) -> stream);
	}

	/** Why a payload does not fit, if so, without values, keys and indexes. */
	@Nullable String objection(@Nullable Object payload) {
		if (payload == null) {
			return this.required ? "Payload is null" : null;
		}
		if (this.validator == null) {
			return null;
		}
		Stream<String> violations = JAKARTA ? JakartaValidation.violations(this.validator, payload, this.groups) : null;
		if (violations == null) {
			violations = errors(this.validator, payload);
		}
		String text = violations.distinct().sorted().collect(Collectors.joining(", "));
		return text.isEmpty() ? null : "Payload is not valid: " + text;
	}

	private Stream<String> errors(Validator used, Object payload) {
		BindingResult result = new BeanPropertyBindingResult(payload, "payload");
		if (this.groups.length > 0 && used instanceof SmartValidator smartValidator) {
			smartValidator.validate(payload, result, this.groups);
		}
		else {
			used.validate(payload, result);
		}
		return result.getAllErrors()
			.stream()
			.map((error) -> describe((error instanceof FieldError field) ? withoutKeys(field.getField()) : "",
					error.getCode()));
	}

	/** Keys are data, and may hold brackets: from the first to the last they go. */
	static String withoutKeys(String field) {
		return field.replaceFirst("(?s)\\[.*]", "[*]");
	}

	private static String describe(String path, @Nullable String code) {
		return (path.isEmpty() ? "as a whole" : path) + " (" + code + ")";
	}

	/** Tells keys from names. Apart, because it is optional. */
	static final class JakartaValidation {

		static Stream<Validator> validators(BeanFactory beanFactory) {
			return beanFactory.getBeanProvider(jakarta.validation.Validator.class)
				.orderedStream()
				.map(SpringValidatorAdapter::new);
		}

		static @Nullable Stream<String> violations(Validator validator, Object payload, Object[] hints) {
			if (!(validator instanceof jakarta.validation.Validator jakarta)) {
				return null;
			}
			Class<?>[] groups = Stream.of(hints)
				.filter(Class.class::isInstance)
				.map(Class.class::cast)
				.toArray(Class<?>[]::new);
			return jakarta.validate(payload, groups)
				.stream()
				.map((violation) -> describe(path("", violation.getPropertyPath()), constraint(violation)));
		}

		static String constraint(ConstraintViolation<?> violation) {
			return violation.getConstraintDescriptor().getAnnotation().annotationType().getSimpleName();
		}

		/** A path from a root, without keys and indexes. */
		static String path(String root, Iterable<Path.Node> nodes) {
			StringBuilder path = new StringBuilder(root);
			for (Path.Node node : nodes) {
				if (node.isInIterable() && !path.isEmpty()) {
					path.append("[*]");
				}
				if (node.getKind() != ElementKind.CONTAINER_ELEMENT && node.getName() != null) {
					path.append(path.isEmpty() ? "" : ".").append(node.getName());
				}
			}
			return path.toString();
		}

	}

}
