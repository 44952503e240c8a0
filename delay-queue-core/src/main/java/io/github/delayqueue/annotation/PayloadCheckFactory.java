package io.github.delayqueue.annotation;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.ValidationAnnotationUtils;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

/**
 * Finds what checks the payloads of a method: the beans that are validators, Spring's or
 * those of Jakarta Validation, if a parameter asks for validation.
 */
final class PayloadCheckFactory {

	private final BeanFactory beanFactory;

	PayloadCheckFactory(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	PayloadCheck create(ListenerMethod method, ListenerSignature signature) {
		boolean required = PayloadCheck.isRequired(signature);
		Object[] groups = groups(signature);
		if (groups == null) {
			return new PayloadCheck(required, null, new Object[0]);
		}
		Class<?> type = ResolvableType.forType(signature.payloadType()).toClass();
		Validator validator = validators().filter((candidate) -> candidate.supports(type))
			.findFirst()
			.orElseThrow(() -> method.invalid(
					"asks for its payload to be validated, but there is no Validator bean for " + type.getName(),
					"Add spring-boot-starter-validation (or a LocalValidatorFactoryBean), "
							+ "or remove @Valid or @Validated."));
		return new PayloadCheck(required, validator, groups);
	}

	private static Object @Nullable [] groups(ListenerSignature signature) {
		return signature.parameters().stream().filter((parameter) -> switch (parameter.kind()) {
			case PAYLOAD, TASK, TASKS -> true;
			default -> false;
		})
			.flatMap((parameter) -> Arrays.stream(parameter.parameter().getParameterAnnotations()))
			.map(PayloadCheckFactory::groups)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private static Object @Nullable [] groups(Annotation annotation) {
		return ValidationAnnotationUtils.determineValidationHints(annotation);
	}

	private Stream<Validator> validators() {
		Validator preferred = this.beanFactory.getBeanProvider(Validator.class).getIfUnique();
		Stream<Validator> others = this.beanFactory.getBeanProvider(Validator.class).orderedStream();
		return Stream
			.of((preferred != null) ? Stream.of(preferred) : Stream.<Validator>empty(), others,
					PayloadCheck.JAKARTA ? JakartaValidators.validators(this.beanFactory) : Stream.<Validator>empty())
			.flatMap((stream) -> stream);
	}

	/** Kept apart, because Jakarta Validation is optional. */
	private static final class JakartaValidators {

		static Stream<Validator> validators(BeanFactory beanFactory) {
			return beanFactory.getBeanProvider(jakarta.validation.Validator.class)
				.orderedStream()
				.map(SpringValidatorAdapter::new);
		}

	}

}
