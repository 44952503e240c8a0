package io.github.delayqueue.annotation;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

import io.github.delayqueue.annotation.ListenerParameter.ParameterKind;

/**
 * What an annotated method takes, checked.
 *
 * @param batch whether it is called with lists
 * @param payloadType what payloads are converted to; {@link Object} if it takes any
 * @param parameters its parameters
 */
record ListenerSignature(boolean batch, Type payloadType, List<ListenerParameter> parameters) {

	private static final Set<ParameterKind> OF_ONE_TASK = EnumSet.of(ParameterKind.TASK, ParameterKind.CONTEXT,
			ParameterKind.FAILURE, ParameterKind.HEADER, ParameterKind.HEADERS);

	private static final Set<ParameterKind> OF_A_BATCH = EnumSet.of(ParameterKind.TASKS, ParameterKind.CONTEXTS);

	/**
	 * Analyse the parameters of a method.
	 * @param batchSize the size of batches that its annotation sets, {@code null} if it
	 * sets none
	 * @param deadLetters whether it is given dead letters
	 * @throws io.github.delayqueue.listener.InvalidListenerException if the method cannot
	 * be called with tasks
	 */
	static ListenerSignature of(ListenerMethod method, @Nullable Integer batchSize, boolean deadLetters) {
		List<ListenerParameter> parameters = ListenerParameter.of(method.method(), method.beanType(), deadLetters);
		SignatureRules.check(method, parameters);
		boolean batch = isBatch(parameters, batchSize);
		if (batch) {
			requireLists(method, parameters);
		}
		return new ListenerSignature(batch, payloadType(method, parameters, batch), parameters);
	}

	private static boolean isBatch(List<ListenerParameter> parameters, @Nullable Integer batchSize) {
		if (parameters.stream().anyMatch((parameter) -> OF_A_BATCH.contains(parameter.kind()))) {
			return true;
		}
		if (batchSize == null) {
			return false;
		}
		return batchSize > 1 || parameters.stream()
			.anyMatch((parameter) -> parameter.kind() == ParameterKind.PAYLOAD && parameter.isList());
	}

	private static void requireLists(ListenerMethod method, List<ListenerParameter> parameters) {
		for (ListenerParameter parameter : parameters) {
			if (OF_ONE_TASK.contains(parameter.kind())) {
				throw method.invalid(
						"is a batch listener, but its parameter " + parameter.describe() + " is for one task",
						"Take List<DelayedTask<T>>, which has the headers, and List<TaskContext>, "
								+ "or remove the attribute 'batchSize' and the lists.");
			}
			if (parameter.kind() == ParameterKind.PAYLOAD && !parameter.isList()) {
				throw method.invalid("is a batch listener, but its parameter " + parameter.describe() + " is no list",
						"Take List<T> or List<DelayedTask<T>>, or remove the attribute 'batchSize'.");
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

	/**
	 * The parameter for the payload.
	 * @return the parameter, {@code null} if there is none
	 */
	@Nullable ListenerParameter payload() {
		return this.parameters.stream()
			.filter((parameter) -> parameter.kind() == ParameterKind.PAYLOAD)
			.findFirst()
			.orElse(null);
	}

}
