package io.github.delayqueue.annotation;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.ClassUtils;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.Validator;

/**
 * What a payload has to be for a method to be called with it.
 *
 * @param required whether it must not be null
 * @param validator validates it, {@code null} if it is not validated
 * @param groups groups of constraints to validate; empty for the default
 */
record PayloadCheck(boolean required, @Nullable Validator validator, Object[] groups) {

	static final String JAKARTA_VALIDATOR = "jakarta.validation.Validator";

	static final boolean JAKARTA = ClassUtils.isPresent(JAKARTA_VALIDATOR, PayloadCheck.class.getClassLoader());

	/**
	 * Whether a method needs a payload.
	 * @return whether {@code null} cannot be passed to it
	 */
	static boolean isRequired(ListenerSignature signature) {
		ListenerParameter payload = signature.payload();
		if (payload == null) {
			return false;
		}
		MethodParameter parameter = payload.parameter();
		Payload annotation = parameter.getParameterAnnotation(Payload.class);
		if (annotation != null) {
			return annotation.required() || parameter.getParameterType().isPrimitive();
		}
		return !signature.batch() && Nullness.forMethodParameter(parameter) == Nullness.NON_NULL;
	}

	/**
	 * Check a payload.
	 * @throws UnusableTaskException if it does not fit; the message names fields and
	 * constraints, neither values nor keys nor indexes
	 */
	void check(@Nullable Object payload) throws UnusableTaskException {
		if (payload == null) {
			if (this.required) {
				throw new UnusableTaskException("Payload is null");
			}
			return;
		}
		if (this.validator == null) {
			return;
		}
		Stream<String> violations = JAKARTA ? JakartaValidation.violations(this.validator, payload, this.groups) : null;
		if (violations == null) {
			violations = errors(this.validator, payload);
		}
		String text = violations.distinct().sorted().collect(Collectors.joining(", "));
		if (!text.isEmpty()) {
			throw new UnusableTaskException("Payload is not valid: " + text);
		}
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

	/**
	 * Keys are data, and may hold brackets: all from the first to the last is left out.
	 */
	private static String withoutKeys(String field) {
		return field.replaceFirst("(?s)\\[.*]", "[*]");
	}

	private static String describe(String path, @Nullable String code) {
		return (path.isEmpty() ? "as a whole" : path) + " (" + code + ")";
	}

	/**
	 * What Jakarta Validation says, which tells keys from names. Apart, because it is
	 * optional.
	 */
	private static final class JakartaValidation {

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
				.map((violation) -> describe(path(violation.getPropertyPath()),
						violation.getConstraintDescriptor().getAnnotation().annotationType().getSimpleName()));
		}

		private static String path(Path violated) {
			StringBuilder path = new StringBuilder();
			for (Path.Node node : violated) {
				if (node.isInIterable()) {
					path.append("[*]");
				}
				if (node.getKind() == ElementKind.PROPERTY) {
					path.append(path.isEmpty() ? "" : ".").append(node.getName());
				}
			}
			return path.toString();
		}

	}

}
