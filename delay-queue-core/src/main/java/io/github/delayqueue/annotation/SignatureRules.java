package io.github.delayqueue.annotation;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.core.KotlinDetector;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.github.delayqueue.annotation.ListenerParameter.ParameterKind;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.TaskDetails;

/**
 * What no annotated method may look like, whether it handles batches or not.
 */
final class SignatureRules {

	private static final boolean COROUTINES = KotlinDetector.isKotlinReflectPresent()
			&& ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", SignatureRules.class.getClassLoader());

	private static final Set<Class<?>> NO_PAYLOADS = Set.of(Message.class, MessageHeaderAccessor.class, Delivery.class,
			ClaimedTask.class, TaskDetails.class);

	private static final Set<ParameterKind> AT_MOST_ONCE = EnumSet.of(ParameterKind.PAYLOAD, ParameterKind.TASK,
			ParameterKind.TASKS, ParameterKind.CONTEXT, ParameterKind.CONTEXTS, ParameterKind.FAILURE);

	private SignatureRules() {
	}

	static void check(ListenerMethod method, List<ListenerParameter> parameters) {
		if (method.isSuspending() && !COROUTINES) {
			throw method.invalid("is a Kotlin suspend function, for which libraries are missing",
					"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor and org.jetbrains.kotlin:kotlin-reflect, "
							+ "or return a CompletableFuture (scope.future { }).");
		}
		if (method.method().isVarArgs()) {
			throw method.invalid("has a variable number of arguments",
					"Take the payload as one parameter, or List<T> with the attribute 'batchSize'.");
		}
		Set<ParameterKind> seen = EnumSet.noneOf(ParameterKind.class);
		for (ListenerParameter parameter : parameters) {
			if (!seen.add(parameter.kind()) && AT_MOST_ONCE.contains(parameter.kind())) {
				throw repeated(method, parameters, parameter.kind());
			}
			checkParameter(method, parameter);
		}
	}

	private static RuntimeException repeated(ListenerMethod method, List<ListenerParameter> parameters,
			ParameterKind kind) {
		List<String> names = parameters.stream()
			.filter((parameter) -> parameter.kind() == kind)
			.map(ListenerParameter::describe)
			.toList();
		if (kind == ParameterKind.PAYLOAD) {
			return method.invalid("has several parameters for the payload: " + String.join(" and ", names),
					"Keep one of them and annotate those for headers with @Header; "
							+ "id, due time and attempt are in DelayedTask<T>.");
		}
		return method.invalid("has several parameters for the same: " + String.join(" and ", names),
				"Keep one of them.");
	}

	private static void checkParameter(ListenerMethod method, ListenerParameter parameter) {
		switch (parameter.kind()) {
			case PAYLOAD -> checkPayload(method, parameter);
			case HEADER -> checkHeader(method, parameter);
			case HEADERS -> checkHeaders(method, parameter);
			default -> {
			}
		}
	}

	private static void checkPayload(ListenerMethod method, ListenerParameter parameter) {
		if (NO_PAYLOADS.contains(parameter.parameter().getParameterType())) {
			throw method.invalid("has a parameter " + parameter.describe() + ", which listeners are not given",
					"Take the payload itself, DelayedTask<T> for id and headers, "
							+ "or TaskContext for what can be done about the delivery.");
		}
		Payload annotation = parameter.parameter().getParameterAnnotation(Payload.class);
		if (annotation != null && StringUtils.hasText(annotation.expression())) {
			throw method.invalid("has a @Payload with an expression, which is not supported",
					"Remove the expression and take the whole payload.");
		}
	}

	private static void checkHeader(ListenerMethod method, ListenerParameter parameter) {
		Header annotation = parameter.parameter().getParameterAnnotation(Header.class);
		if (annotation != null && !StringUtils.hasText(annotation.name())
				&& parameter.parameter().getParameterName() == null) {
			throw method.invalid("has a @Header parameter whose name is not known",
					"Name the header as in @Header(\"tenant\"), or compile with -parameters.");
		}
	}

	private static void checkHeaders(ListenerMethod method, ListenerParameter parameter) {
		Class<?> type = parameter.parameter().getParameterType();
		if (type != Map.class && type != MessageHeaders.class) {
			throw method.invalid("has a @Headers parameter " + parameter.describe() + " that is no Map",
					"Declare it as Map<String, String>, or use @Header for a single one.");
		}
	}

}
