package io.github.delayqueue.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

import io.github.delayqueue.SetupException;
import io.github.delayqueue.listener.InvalidListenerException;

/**
 * Shows what the delay queue does not start with, and what to change. Comes before Spring
 * Boot's own analyses, which find a property only where it is spelt exactly as in the
 * message, and do not know of queue names that need brackets.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class DelayQueueFailureAnalyzer implements FailureAnalyzer {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("delay-queue");

	private static final ConfigurationPropertyName QUEUES = PREFIX.append("queues");

	private static final ConfigurationPropertyName REMOTE_CONTROL = PREFIX.append("listener.remote-control");

	private final Environment environment;

	DelayQueueFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		FailureAnalysis analysis = null;
		for (Throwable cause = failure; cause != null && analysis == null; cause = cause.getCause()) {
			if (cause instanceof InvalidListenerException listener) {
				analysis = new FailureAnalysis(listener.getMessage(), listener.getAction(), cause);
			}
			else if (cause instanceof SetupException setup) {
				analysis = new FailureAnalysis(setup.getMessage() + ".", setup.getRemedy(), cause);
			}
			else if (cause instanceof InvalidConfigurationPropertyValueException invalid) {
				analysis = impossibleValue(invalid);
			}
			else if (cause instanceof UnboundConfigurationPropertiesException unbound) {
				analysis = unknownProperties(unbound);
			}
		}
		return analysis;
	}

	private @Nullable FailureAnalysis impossibleValue(InvalidConfigurationPropertyValueException cause) {
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(cause.getName(), '.');
		if (!PREFIX.isAncestorOf(name)) {
			return null;
		}
		Origin origin = StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.map((source) -> Origin.from(source.getConfigurationProperty(name)))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		String action = cause.getReason().startsWith("it needs ") ? "Add what it needs, or remove "
				: "Change the value of ";
		return new FailureAnalysis(String.format(Locale.ROOT, "Property %s has the value '%s'%s, but %s.",
				cause.getName(), cause.getValue(), place(origin), cause.getReason()), action + cause.getName() + ".",
				cause);
	}

	private static @Nullable FailureAnalysis unknownProperties(UnboundConfigurationPropertiesException cause) {
		List<ConfigurationProperty> unknown = cause.getUnboundProperties()
			.stream()
			.filter((property) -> PREFIX.isAncestorOf(property.getName()))
			.toList();
		String action = "Correct the name of the property or remove it.";
		if (unknown.stream().anyMatch((property) -> REMOTE_CONTROL.equals(property.getName()))) {
			action += " Instances start and stop no listeners of others any more, so that nothing replaces "
					+ REMOTE_CONTROL + ": pause the queue, or ask the endpoint of that instance.";
		}
		if (unknown.stream().anyMatch((property) -> QUEUES.isAncestorOf(property.getName()))) {
			action += " Put a queue name that holds a dot or a colon in brackets: "
					+ "delay-queue.queues[shop.orders].listener.concurrency, in YAML \"[shop.orders]\" below queues.";
		}
		return unknown.isEmpty() ? null
				: new FailureAnalysis(
						unknown.stream()
							.map((property) -> String.format(Locale.ROOT, "%n%n    %s = %s%s", property.getName(),
									property.getValue(), place(property.getOrigin())))
							.collect(Collectors.joining("", "The delay queue has no such property:", "")),
						action, cause);
	}

	/** Where it is set, as far as that is known. */
	static String place(@Nullable Origin origin) {
		return (origin != null) ? " (" + origin + ")" : "";
	}

}
