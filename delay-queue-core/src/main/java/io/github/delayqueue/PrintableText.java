package io.github.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * What {@link Names#printableText(String)} makes of a text.
 */
final class PrintableText {

	private static final String BIDIRECTIONAL_CONTROLS = "\u061c\u200e\u200f"
			+ "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

	private PrintableText() {
	}

	static String of(@Nullable String text) {
		if (text == null) {
			return "null";
		}
		StringBuilder printable = null;
		for (int i = 0; i < text.length();) {
			int codePoint = text.codePointAt(i);
			if (!isPrintable(codePoint)) {
				printable = (printable != null) ? printable : new StringBuilder(text);
				printable.setCharAt(i, '?');
			}
			i += Character.charCount(codePoint);
		}
		return (printable != null) ? printable.toString() : text;
	}

	private static boolean isPrintable(int codePoint) {
		if (codePoint >= ' ' && codePoint <= '~') {
			return true;
		}
		return switch (Character.getType(codePoint)) {
			case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
				false;
			default -> BIDIRECTIONAL_CONTROLS.indexOf(codePoint) < 0;
		};
	}

}
