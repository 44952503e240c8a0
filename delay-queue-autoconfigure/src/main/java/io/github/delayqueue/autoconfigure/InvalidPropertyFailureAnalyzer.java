package io.github.delayqueue.autoconfigure;

import java.util.Locale;
import java.util.Objects;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains properties {@code delay-queue.*} whose value is not possible. Comes before
 * Spring Boot's own analysis, which finds a property only where it is spelt exactly as in
 * the message, and says nothing otherwise.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InvalidPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {

	private final Environment environment;

	InvalidPropertyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure,
			InvalidConfigurationPropertyValueException cause) {
		if (!cause.getName().startsWith("delay-queue.")) {
			return null;
		}
		Origin origin = origin(cause.getName());
		String description = String.format(Locale.ROOT, "Property %s has the value '%s'%s, but %s.", cause.getName(),
				cause.getValue(), (origin != null) ? " (" + origin + ")" : "", cause.getReason());
		String action = cause.getReason().startsWith("it needs ") ? "Add what it needs, or remove "
				: "Change the value of ";
		return new FailureAnalysis(description, action + cause.getName() + ".", cause);
	}

	private @Nullable Origin origin(String property) {
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.map((source) -> Origin.from(source.getConfigurationProperty(name)))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

}
