package io.github.delayqueue;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** What {@link Names#printableText(String)} makes of a text. */
final class PrintableText {

	/** The last are those that change the direction of writing. */
	private static final Pattern NOT_PRINTABLE = Pattern
		.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");

	private PrintableText() {
	}

	static String of(@Nullable String text) {
		return (text != null) ? NOT_PRINTABLE.matcher(text).replaceAll("?") : "null";
	}

}
