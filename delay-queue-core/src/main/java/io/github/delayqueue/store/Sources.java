package io.github.delayqueue.store;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * The names of the sources of a queue. The first source has the name of the queue, so
 * that a queue with a single one is nothing special. The others add a number to it by a
 * character that no queue's name contains.
 */
public final class Sources {

	/** Most sources that a queue can have. */
	public static final int MAX = 256;

	private static final char SEPARATOR = '#';

	private static final Pattern DIGITS = Pattern.compile("\\d{1,3}");

	private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,2}");

	private Sources() {
	}

	/** The name of a source, by its number from zero. */
	public static String name(String queue, int source) {
		return (source == 0) ? queue : queue + SEPARATOR + source;
	}

	/** The names of all sources of a queue, that of the queue first. */
	public static List<String> names(String queue, int count) {
		return (count == 1) ? List.of(queue)
				: IntStream.range(0, count).mapToObj((source) -> name(queue, source)).toList();
	}

	/** How many there are by what one of them knows, 1 if that is no number. */
	public static int count(String known) {
		return DIGITS.matcher(known)
			.results()
			.mapToInt((digits) -> Integer.parseInt(digits.group()))
			.filter((number) -> number >= 1 && number <= MAX)
			.findFirst()
			.orElse(1);
	}

	/** The queue that a source belongs to. */
	public static String queue(String source) {
		int separator = source.indexOf(SEPARATOR);
		return (separator < 0) ? source : source.substring(0, separator);
	}

	/** The number of a source, from zero. */
	public static int number(String source) {
		int separator = source.indexOf(SEPARATOR);
		return (separator < 0) ? 0 : Integer.parseInt(source.substring(separator + 1));
	}

	/**
	 * Check the name of a source.
	 * @param source the name
	 * @throws DelayQueueException if it is neither the name of a queue nor one with the
	 * number of a source
	 */
	public static String requireName(@Nullable String source) {
		int separator = (source != null) ? source.indexOf(SEPARATOR) : -1;
		if (source == null || separator < 0 || !NUMBER.matcher(source.substring(separator + 1)).matches()) {
			return Names.requireQueue(source);
		}
		Names.requireQueue(source.substring(0, separator));
		return source;
	}

}
