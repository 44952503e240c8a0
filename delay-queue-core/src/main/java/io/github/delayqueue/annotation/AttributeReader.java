package io.github.delayqueue.annotation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.expression.ExpressionException;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.listener.InvalidListenerException;

/**
 * Reads the attributes of one annotation: placeholders, then expressions, then the text
 * as what the attribute means. An attribute that is empty in the end is {@code null}.
 */
final class AttributeReader {

	private static final Map<Class<?>, Form> FORMS = Map.of(String.class, new Form((text) -> text, "a text"),
			Integer.class, new Form(Integer::valueOf, "a whole number"), Double.class,
			new Form(Double::valueOf, "a number"), Boolean.class, new Form(AttributeReader::parseFlag, "true or false"),
			Duration.class, new Form(AttributeReader::parseDuration, "a duration with a unit, as in 30s, 10m or PT30S"),
			OnMissed.class, new Form((text) -> OnMissed.valueOf(text.toUpperCase(Locale.ROOT)), "ONCE or SKIP"));

	/** As in Spring Kafka and AMQP. */
	private static final String LISTENER = "__listener";

	private final ConfigurableBeanFactory beanFactory;

	private final ListenerMethod method;

	private final Scope scope;

	/** By attribute, what has been read: the text, and where it comes from. */
	private final Map<String, String> written = new HashMap<>();

	/** Read for a method; expressions know its bean as {@code __listener}. */
	AttributeReader(ConfigurableBeanFactory beanFactory, ListenerMethod method, Object bean) {
		this.beanFactory = beanFactory;
		this.method = method;
		this.scope = new SimpleThreadScope() {

			@Override
			public @Nullable Object resolveContextualObject(String key) {
				return LISTENER.equals(key) ? bean : null;
			}

		};
	}

	/** Read what an attribute says of a value of some type: of the {@link #FORMS}. */
	<T> @Nullable T value(String attribute, String value, Class<T> type) {
		String text = evaluate(attribute, value);
		return text.isEmpty() ? null : parse(attribute, value, text, type);
	}

	/** Read elements of which each may stand for several. */
	<T> List<T> values(String attribute, String[] values, Class<T> type) {
		List<T> all = new ArrayList<>();
		for (String value : values) {
			for (String text : StringUtils.tokenizeToStringArray(evaluate(attribute, value), ",")) {
				all.add(parse(attribute, value, text, type));
			}
		}
		return all;
	}

	/** Refuse what has been read because its value is not possible. */
	InvalidListenerException refuse(String attribute, InvalidOptionException cause) {
		return this.method.invalid(
				"has " + attribute + " = " + this.written.get(attribute) + ", but " + cause.getReason(),
				"Correct the attribute '" + attribute + "', or leave it out.", cause);
	}

	private <T> T parse(String attribute, String value, String text, Class<T> type) {
		Form form = Objects.requireNonNull(FORMS.get(type));
		String written = "'" + text + "'" + (value.equals(text) ? "" : " (from '" + value + "')");
		this.written.merge(attribute, written, (one, other) -> one + ", " + other);
		try {
			return type.cast(form.parser().apply(text));
		}
		catch (IllegalArgumentException ex) {
			throw this.method.invalid("has " + attribute + " = " + written + ", which is not " + form.expected(),
					"Correct the attribute '" + attribute + "', or leave it out.", ex);
		}
	}

	private String evaluate(String attribute, String value) {
		try {
			String resolved = this.beanFactory.resolveEmbeddedValue(value);
			// Without a strict resolver what is unknown stays as it is
			Assert.isTrue(resolved == null || !resolved.contains("${"), "A placeholder is unknown");
			BeanExpressionResolver resolver = this.beanFactory.getBeanExpressionResolver();
			return asText((resolver != null)
					? resolver.evaluate(resolved, new BeanExpressionContext(this.beanFactory, this.scope)) : resolved)
				.trim();
		}
		catch (IllegalArgumentException ex) {
			throw this.method.invalid("has " + attribute + " = '" + value + "' with a placeholder that is not defined",
					"Define the property, or give the placeholder a default as in ${name:default}.", ex);
		}
		catch (BeansException | ExpressionException ex) {
			throw this.method.invalid(
					"has " + attribute + " = '" + value + "' whose expression cannot be evaluated: " + ex.getMessage(),
					"Correct the expression in the attribute '" + attribute + "'.", ex);
		}
	}

	private static String asText(@Nullable Object value) {
		if (value instanceof Collection<?> collection) {
			return StringUtils.collectionToCommaDelimitedString(collection);
		}
		return ObjectUtils.isArray(value) ? StringUtils.arrayToCommaDelimitedString(ObjectUtils.toObjectArray(value))
				: Objects.toString(value, "");
	}

	/** A number alone would be milliseconds to some and seconds to others. */
	private static Duration parseDuration(String text) {
		if (text.equals("0")) {
			return Duration.ZERO;
		}
		if (Character.isDigit(text.charAt(text.length() - 1))) {
			throw new IllegalArgumentException("'" + text + "' has no unit");
		}
		return DurationFormatterUtils.detectAndParse(text);
	}

	private static Boolean parseFlag(String text) {
		return switch (text) {
			case "true" -> true;
			case "false" -> false;
			default -> throw new IllegalArgumentException("Neither true nor false");
		};
	}

	/** How a text is read, and what it has to be. */
	private record Form(Function<String, ?> parser, String expected) {

	}

}
