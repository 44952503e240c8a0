package io.github.delayqueue.store;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * The names of the sources of a queue. The first source has the name of the queue, so
 * that a queue with a single one is nothing special. The others add a number to it by a
 * character that no queue's name contains.
 */
public final class Sources {

	/** Stands before the number of a source, and in no name of a queue. */
	public static final char SEPARATOR = '#';

	private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,2}");

	private Sources() {
	}

	/** The queue that a source belongs to. */
	public static String queue(String source) {
		int separator = source.indexOf(SEPARATOR);
		return (separator < 0) ? source : source.substring(0, separator);
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
