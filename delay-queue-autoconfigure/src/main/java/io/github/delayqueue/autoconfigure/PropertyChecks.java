package io.github.delayqueue.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks on the properties of one level. A value that is {@code null} is not set and
 * passes.
 */
class PropertyChecks {

	private final String prefix;

	PropertyChecks(String prefix) {
		this.prefix = prefix;
	}

	void positive(String name, @Nullable Duration value) {
		check(value == null || !(value.isNegative() || value.isZero()), name, value, "it must be longer than zero");
	}

	void notNegative(String name, @Nullable Duration value) {
		check(value == null || !value.isNegative(), name, value, "it must not be negative");
	}

	void atLeast(String name, @Nullable Number value, int min) {
		check(value == null || value.doubleValue() >= min, name, value, "it must be at least " + min);
	}

	void between(String name, @Nullable Number value, int min, int max) {
		check(value == null || (value.doubleValue() >= min && value.doubleValue() <= max), name, value,
				"it must be between " + min + " and " + max);
	}

	void check(boolean valid, String name, @Nullable Object value, String reason) {
		if (!valid) {
			throw invalid(name, value, reason);
		}
	}

	InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value, @Nullable String reason) {
		return new InvalidConfigurationPropertyValueException(this.prefix + name, value, reason);
	}

}
