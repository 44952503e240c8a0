package io.github.delayqueue.annotation;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
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

	/**
	 * Whether a method needs a payload.
	 * @param signature its parameters
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
	 * @param payload the payload
	 * @throws UnusableTaskException if it does not fit; the message names fields, no
	 * values
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
		BindingResult result = new BeanPropertyBindingResult(payload, "payload");
		if (this.groups.length > 0 && this.validator instanceof SmartValidator smartValidator) {
			smartValidator.validate(payload, result, this.groups);
		}
		else {
			this.validator.validate(payload, result);
		}
		if (result.hasErrors()) {
			throw new UnusableTaskException("Payload is not valid: " + describe(result.getAllErrors()));
		}
	}

	private static String describe(List<ObjectError> errors) {
		return errors.stream()
			.map((error) -> ((error instanceof FieldError field) ? field.getField() : "as a whole") + " ("
					+ error.getCode() + ")")
			.sorted()
			.collect(Collectors.joining(", "));
	}

}
