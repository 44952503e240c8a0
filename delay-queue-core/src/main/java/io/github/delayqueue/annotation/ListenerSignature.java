package io.github.delayqueue.annotation;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
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
import io.github.delayqueue.producer.TaskView;

/** What an annotated method takes, checked; {@link Object} for any payload. */
record ListenerSignature(boolean batch, Type payloadType, List<ListenerParameter> parameters) {

	private static final boolean COROUTINES = KotlinDetector.isKotlinReflectPresent()
			&& ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", ListenerSignature.class.getClassLoader());

	private static final Set<Class<?>> NO_PAYLOADS = Set.of(Message.class, MessageHeaderAccessor.class, Delivery.class,
			TaskView.class, ClaimedTask.class, TaskDetails.class);

	private static final Set<ParameterKind> OF_HEADERS = EnumSet.of(ParameterKind.HEADER, ParameterKind.HEADERS);

	static ListenerSignature of(ListenerMethod method, @Nullable Integer batchSize, boolean deadLetters) {
		List<ListenerParameter> parameters = ListenerParameter.of(method.method(), method.beanType(), deadLetters);
		check(method, parameters);
		boolean batch = isBatch(parameters, batchSize);
		if (batch) {
			requireLists(method, parameters);
		}
		return new ListenerSignature(batch, payloadType(method, parameters, batch), parameters);
	}

	/** What no method may look like, whether it handles batches or not. */
	private static void check(ListenerMethod method, List<ListenerParameter> parameters) {
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
			if (!seen.add(parameter.kind()) && !OF_HEADERS.contains(parameter.kind())) {
				throw method.invalid(
						"has more than one parameter for the " + parameter.kind().name().toLowerCase(Locale.ROOT)
								+ ", one of them " + parameter.describe(),
						"Keep one of them and annotate those for headers with @Header; "
								+ "id, due time and attempt are in DelayedTask<T>.");
			}
			switch (parameter.kind()) {
				case PAYLOAD -> checkPayload(method, parameter);
				case HEADER -> checkHeader(method, parameter);
				case HEADERS -> checkHeaders(method, parameter);
				default -> {
				}
			}
		}
	}

	private static void checkPayload(ListenerMethod method, ListenerParameter parameter) {
		if (NO_PAYLOADS.contains(parameter.parameter().getParameterType())) {
			throw method.invalid("has a parameter " + parameter.describe() + ", which a listener cannot get",
					"Take the payload itself, DelayedTask<T> for id and headers, "
							+ "or TaskContext to act on the delivery.");
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

	/** A list is the payload itself where the size of batches is not set. */
	private static boolean isBatch(List<ListenerParameter> parameters, @Nullable Integer batchSize) {
		return (batchSize != null && batchSize > 1) || parameters.stream()
			.anyMatch((parameter) -> parameter.list()
					&& (batchSize != null || parameter.kind() != ParameterKind.PAYLOAD));
	}

	private static void requireLists(ListenerMethod method, List<ListenerParameter> parameters) {
		for (ListenerParameter parameter : parameters) {
			if (!parameter.list()) {
				throw method.invalid(
						"is a batch listener, but its parameter " + parameter.describe() + " is for one task",
						"Take List<T>, List<DelayedTask<T>>, which has the headers, and List<TaskContext>, "
								+ "or remove the attribute 'batchSize' and the lists.");
			}
		}
	}

	private static Type payloadType(ListenerMethod method, List<ListenerParameter> parameters, boolean batch) {
		List<Type> types = parameters.stream()
			.map((parameter) -> (batch && parameter.kind() == ParameterKind.PAYLOAD) ? parameter.elementType()
					: parameter.payloadType())
			.filter(Objects::nonNull)
			.distinct()
			.toList();
		if (types.size() > 1) {
			throw method.invalid(
					"takes the payload as " + ResolvableType.forType(types.get(0)) + " and as "
							+ ResolvableType.forType(types.get(1)),
					"Let T of DelayedTask<T> be the type of the payload parameter, or remove one of them.");
		}
		Type type = types.isEmpty() ? Object.class : types.get(0);
		if (!ListenerParameter.isResolved(type)) {
			String declared = Arrays.toString(method.method().getGenericParameterTypes());
			throw method.invalid("takes the payload as a type that is not known at run time: " + declared,
					"Replace the type variable by a type, in the method or in the class that extends this one.");
		}
		return type;
	}

	/** The parameter for the payload, if there is one. */
	@Nullable ListenerParameter payload() {
		return this.parameters.stream()
			.filter((parameter) -> parameter.kind() == ParameterKind.PAYLOAD)
			.findFirst()
			.orElse(null);
	}

}
