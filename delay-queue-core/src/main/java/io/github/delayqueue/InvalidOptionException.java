package io.github.delayqueue;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * An option has a value that is not possible, alone or together with another. The message
 * uses its name in code. Code that takes options from properties or annotations names it
 * as {@linkplain #getProperty() it is called} there.
 */
public class InvalidOptionException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private static final Pattern SECTION = Pattern.compile("^(listener|retry|producer)\\.");

	private static final Pattern NEXT_WORD = Pattern.compile("[.-]([a-z])");

	private final String property;

	private final String value;

	private final String reason;

	/**
	 * Create an exception.
	 * @param property name of the option below the properties of a queue
	 * @param reason the reason: half a sentence that begins with "it"
	 */
	public InvalidOptionException(String property, @Nullable Object value, String reason) {
		super(null, null, nameOf(property) + " is " + text(value) + ", but " + reason);
		this.property = property;
		this.value = text(value);
		this.reason = reason;
	}

	private static String text(@Nullable Object value) {
		return (value instanceof Duration duration) ? Names.printable(duration) : String.valueOf(value);
	}

	/**
	 * The name in code of an option that properties call so.
	 * @param property name of the option below the properties of a queue
	 */
	public static String nameOf(String property) {
		String name = SECTION.matcher(property).replaceFirst("");
		return NEXT_WORD.matcher(name).replaceAll((word) -> word.group(1).toUpperCase(Locale.ROOT));
	}

	/** Its name below the properties of a queue, such as {@code listener.batch-size}. */
	public String getProperty() {
		return this.property;
	}

	/** The value as a text. */
	public String getValue() {
		return this.value;
	}

	/** The reason: half a sentence that begins with "it". */
	public String getReason() {
		return this.reason;
	}

}
