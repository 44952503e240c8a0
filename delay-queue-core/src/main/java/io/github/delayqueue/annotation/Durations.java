package io.github.delayqueue.annotation;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Durations as people write them. A number without a unit is refused: it would be
 * milliseconds to some and seconds to others.
 */
final class Durations {

	private Durations() {
	}

	/**
	 * Read a duration.
	 * @param text as in {@code 30s}, {@code 1h30m} or {@code PT30S}; {@code 0} needs no
	 * unit
	 * @throws IllegalArgumentException if it is none
	 */
	static Duration parse(String text) {
		if (text.equals("0")) {
			return Duration.ZERO;
		}
		if (Character.isDigit(text.charAt(text.length() - 1))) {
			throw new IllegalArgumentException("'" + text + "' has no unit");
		}
		return DurationFormatterUtils.detectAndParse(text);
	}

	/**
	 * Read durations.
	 * @param text durations separated by commas
	 * @return the durations; what is empty between commas is left out
	 * @throws IllegalArgumentException if one of them is none
	 */
	static List<Duration> parseList(String text) {
		return Arrays.stream(text.split(","))
			.map(String::trim)
			.filter((element) -> !element.isEmpty())
			.map(Durations::parse)
			.toList();
	}

}
