package io.github.delayqueue.options;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.github.delayqueue.InvalidOptionException;

/**
 * An option of queues or of listeners: what it is called in properties, which values are
 * possible, and which one is the default. {@link OptionTable} has those of the library;
 * who adds a feature declares others, which {@link QueueOptions} hold as well. Immutable;
 * no two are equal.
 *
 * @param <T> type of its values
 */
public final class Option<T> {

	private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_\\-]+");

	private final String property;

	private final Class<?> type;

	private final @Nullable T byDefault;

	private final Function<Object, T> reader;

	private final Predicate<T> possible;

	private final String rule;

	private Option(String property, Class<?> type, @Nullable T byDefault, Function<Object, T> reader,
			Predicate<T> possible, String rule) {
		this.property = property;
		this.type = type;
		this.byDefault = byDefault;
		this.reader = reader;
		this.possible = possible;
		this.rule = rule;
	}

	/**
	 * Declare an option.
	 * @param property its name below the properties of a queue
	 * @param byDefault its default, {@code null} for none
	 */
	@SuppressWarnings("unchecked")
	public static <T> Option<T> of(String property, Class<? super T> type, @Nullable T byDefault) {
		return new Option<>(property, type, byDefault, (value) -> (T) value, (value) -> true, "");
	}

	/** Declare one that is on or off. */
	public static Option<Boolean> flag(String property, boolean byDefault) {
		return of(property, Boolean.class, byDefault);
	}

	/** Declare one that is a number of at least so much. */
	public static Option<Integer> number(String property, int min, @Nullable Integer byDefault) {
		return Option.<Integer>of(property, Integer.class, byDefault)
			.within((value) -> value >= min, "at least " + min);
	}

	/** Declare one that is a number between two others. */
	public static Option<Integer> number(String property, int min, int max, @Nullable Integer byDefault) {
		return Option.<Integer>of(property, Integer.class, byDefault)
			.within((value) -> value >= min && value <= max, "between " + min + " and " + max);
	}

	/**
	 * The same with a bound.
	 * @param rule in words: what follows "it must be"
	 */
	public Option<T> within(Predicate<T> possible, String rule) {
		return new Option<>(this.property, this.type, this.byDefault, this.reader, possible, rule);
	}

	/**
	 * The same with values that properties have in another form.
	 * @param reader gives the value; an {@link IllegalArgumentException} has the reason
	 * why there is none, which begins with "it must"
	 */
	public Option<T> readBy(Function<Object, T> reader) {
		return new Option<>(this.property, this.type, this.byDefault, reader, this.possible, this.rule);
	}

	/** The type of its values, without type arguments. */
	public Class<?> type() {
		return this.type;
	}

	/** The beginning of the names of a queue's properties, which ends with a dot. */
	public static String prefixOf(String queue) {
		String queues = "delay-queue.queues";
		return PLAIN_NAME.matcher(queue).matches() ? queues + "." + queue + "." : queues + "[" + queue + "].";
	}

	@Nullable T byDefault() {
		return this.byDefault;
	}

	/**
	 * The value of which properties say something, {@code null} for nothing.
	 * @throws InvalidOptionException if they say nothing possible
	 */
	@Nullable T read(@Nullable Object written) {
		try {
			return (written != null) ? check(this.reader.apply(written)) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidOptionException(this.property, written, String.valueOf(ex.getMessage()));
		}
	}

	T check(T value) {
		if (!this.possible.test(value)) {
			// whose own text goes by the default locale
			Object shown = (value instanceof DataSize size) ? size.toBytes() + "B" : value;
			throw new InvalidOptionException(this.property, shown, "it must be " + this.rule);
		}
		return value;
	}

	/** Its name below the properties of a queue. */
	@Override
	public String toString() {
		return this.property;
	}

}
