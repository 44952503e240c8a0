package io.github.delayqueue.autoconfigure;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains properties {@code delay-queue.*} that do not exist. Comes before Spring Boot's
 * own analysis, which does not know of queue names that need brackets.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("delay-queue");

	private static final ConfigurationPropertyName QUEUES = PREFIX.append("queues");

	private static final ConfigurationPropertyName REMOTE_CONTROL = PREFIX.append("listener.remote-control");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		List<ConfigurationProperty> unknown = cause.getUnboundProperties()
			.stream()
			.filter((property) -> PREFIX.isAncestorOf(property.getName()))
			.toList();
		return unknown.isEmpty() ? null : new FailureAnalysis(description(unknown), action(unknown), cause);
	}

	private static String description(List<ConfigurationProperty> unknown) {
		StringBuilder description = new StringBuilder("The delay queue has no such property:");
		for (ConfigurationProperty property : unknown) {
			description.append(String.format(Locale.ROOT, "%n%n    %s = %s", property.getName(), property.getValue()));
			if (property.getOrigin() != null) {
				description.append(String.format(Locale.ROOT, " (%s)", property.getOrigin()));
			}
		}
		return description.toString();
	}

	private static String action(List<ConfigurationProperty> unknown) {
		String action = "Correct the name of the property or remove it.";
		if (unknown.stream().anyMatch((property) -> REMOTE_CONTROL.equals(property.getName()))) {
			action += " Instances start and stop no listeners of others any more, so that nothing replaces "
					+ REMOTE_CONTROL + ": pause the queue, or ask the endpoint of that instance.";
		}
		boolean ofQueue = unknown.stream().anyMatch((property) -> QUEUES.isAncestorOf(property.getName()));
		return ofQueue ? action + " Put a queue name that holds a dot or a colon in brackets: "
				+ "delay-queue.queues[shop.orders].listener.concurrency, in YAML \"[shop.orders]\" below queues."
				: action;
	}

}
