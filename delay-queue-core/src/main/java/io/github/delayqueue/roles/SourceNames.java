package io.github.delayqueue.roles;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.delayqueue.store.Sources;

/** The {@linkplain Sources names of sources} by their numbers. */
public final class SourceNames {

	/** Most sources that a queue can have. */
	public static final int MAX = 256;

	private static final Pattern FIRST = Pattern.compile("(\\d{1,3})(,.*)?");

	private SourceNames() {
	}

	/** The name of a source, by its number from zero. */
	public static String name(String queue, int source) {
		return (source == 0) ? queue : queue + Sources.SEPARATOR + source;
	}

	/** The names of all sources of a queue, that of the queue first. */
	public static List<String> names(String queue, int count) {
		return IntStream.range(0, count).mapToObj((source) -> name(queue, source)).toList();
	}

	/**
	 * How many there are by what one of them knows, 1 if that is no number. Of a queue
	 * whose number an earlier version has raised, smaller ones follow, after commas.
	 */
	public static int count(String known) {
		Matcher numbers = FIRST.matcher(known);
		int number = numbers.matches() ? Integer.parseInt(numbers.group(1)) : 1;
		return (number >= 1 && number <= MAX) ? number : 1;
	}

}
