package io.github.delayqueue.console;

import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Hands what was sent to the operations of the endpoint over the web, as one map. So each
 * argument is declared once, by the operations of {@link DelayQueueEndpoint}. Any other
 * is left out of what is read: Spring Security adds one of its own to addresses. To
 * actions it is handed, which refuse it: a misspelt limit would mean all tasks.
 */
final class SentArguments implements OperationInvokerAdvisor, AopInfrastructureBean {

	static final EndpointId ENDPOINT = EndpointId.of("delayqueue");

	/** The parameter of operations that take all. */
	private static final String ALL = "arguments";

	private static final Set<String> NAMES = Arrays.stream(DelayQueueEndpoint.class.getDeclaredMethods())
		.filter((method) -> Modifier.isPublic(method.getModifiers()))
		.flatMap((method) -> Arrays.stream(method.getParameters()))
		.filter((parameter) -> !parameter.isAnnotationPresent(Selector.class))
		.map(Parameter::getName)
		.collect(Collectors.toUnmodifiableSet());

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		boolean takesAll = ENDPOINT.equals(endpointId)
				&& parameters.stream().map(OperationParameter::getName).anyMatch(ALL::equals);
		return takesAll ? (context) -> invoker.invoke(withAll(context, parameters, operationType)) : invoker;
	}

	private static InvocationContext withAll(InvocationContext context, OperationParameters parameters,
			OperationType type) {
		Map<String, Object> sent = new HashMap<>(context.getArguments());
		sent.remove(ALL);
		Map<String, Object> all = new HashMap<>();
		parameters.stream().map(OperationParameter::getName).filter(sent::containsKey).forEach((selector) -> {
			all.put(selector, sent.get(selector));
			sent.remove(selector);
		});
		if (type == OperationType.READ) {
			sent.keySet().retainAll(NAMES);
		}
		if (!sent.isEmpty()) {
			// else the answer may be one that Spring Boot has kept
			all.put(ALL, sent);
		}
		return new InvocationContext(context.resolveArgument(SecurityContext.class), all);
	}

}
