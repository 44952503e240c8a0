package io.github.delayqueue.options;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

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

	private final String property;

	private final Class<?> type;

	private final @Nullable T byDefault;

	private final Function<Object, T> reader;

	private final Predicate<T> possible;

	private final String rule;

	/** Which other one it must fit, {@code null} for none. */
	private final @Nullable Fit<T> fit;

	private Option(String property, Class<?> type, @Nullable T byDefault, Function<Object, T> reader,
			Predicate<T> possible, String rule, @Nullable Fit<T> fit) {
		this.property = property;
		this.type = type;
		this.byDefault = byDefault;
		this.reader = reader;
		this.possible = possible;
		this.rule = rule;
		this.fit = fit;
	}

	/**
	 * Declare an option.
	 * @param property its name below the properties of a queue
	 * @param byDefault its default, {@code null} for none
	 */
	@SuppressWarnings("unchecked")
	public static <T> Option<T> of(String property, Class<? super T> type, @Nullable T byDefault) {
		return new Option<>(property, type, byDefault, (value) -> (T) value, (value) -> true, "", null);
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
		return new Option<>(this.property, this.type, this.byDefault, this.reader, possible, rule, this.fit);
	}

	/**
	 * The same with values that properties have in another form.
	 * @param reader gives the value; an {@link IllegalArgumentException} has the reason
	 * why there is none, which begins with "it must"
	 */
	public Option<T> readBy(Function<Object, T> reader) {
		return new Option<>(this.property, this.type, this.byDefault, reader, this.possible, this.rule, this.fit);
	}

	/**
	 * The same, which must not be less than another option of the queue, a number.
	 * @param size of a value, to be compared with the other
	 * @param why in words: what follows a colon
	 */
	public Option<T> atLeast(Option<? extends Number> other, ToLongFunction<T> size, String why) {
		return fitting(new Fit<>(other, true, size, why));
	}

	/** As {@link #atLeast}: it must not be more. */
	public Option<T> atMost(Option<? extends Number> other, ToLongFunction<T> size, String why) {
		return fitting(new Fit<>(other, false, size, why));
	}

	private Option<T> fitting(Fit<T> fit) {
		return new Option<>(this.property, this.type, this.byDefault, this.reader, this.possible, this.rule, fit);
	}

	/** The type of its values, without type arguments. */
	public Class<?> type() {
		return this.type;
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

	/**
	 * Check that it fits the other option, if it has to.
	 * @param own whether the level that is to blame sets this option, not the other
	 * @param values of all options
	 */
	void requireFit(boolean own, Function<Option<?>, Object> values) {
		if (this.fit != null && !this.fit.holds(values.apply(this), values.apply(this.fit.other()))) {
			Option<?> wrong = own ? this : this.fit.other();
			Option<?> right = own ? this.fit.other() : this;
			throw new InvalidOptionException(wrong.toString(), values.apply(wrong),
					"it must be at " + ((own == this.fit.above()) ? "least " : "most ") + right + ", which is "
							+ values.apply(right) + ": " + this.fit.why());
		}
	}

	/** Its name below the properties of a queue. */
	@Override
	public String toString() {
		return this.property;
	}

	/**
	 * How an option has to fit another one.
	 *
	 * @param above whether it must not be less, instead of not more
	 */
	private record Fit<T>(Option<? extends Number> other, boolean above, ToLongFunction<T> size, String why) {

		@SuppressWarnings("unchecked")
		boolean holds(Object value, Object of) {
			long size = this.size.applyAsLong((T) value);
			return this.above ? size >= ((Number) of).longValue() : size <= ((Number) of).longValue();
		}

	}

}
