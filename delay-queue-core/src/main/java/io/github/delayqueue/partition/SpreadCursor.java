package io.github.delayqueue.partition;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Where to go on in the partitions of a queue, one after the other. As text, cursors of
 * the first one are those of the store, the others have the number of the partition
 * before them.
 *
 * @param number the number of the partition
 * @param position where in it, {@code null} for its beginning
 */
record SpreadCursor(int number, @Nullable String position) {

	private static final Pattern CURSOR = Pattern.compile("([1-9][0-9]{0,2})/(.*)", Pattern.DOTALL);

	/**
	 * Read a cursor.
	 * @throws IllegalArgumentException if there are fewer partitions
	 */
	static SpreadCursor of(@Nullable String text, int partitions) {
		Matcher matcher = CURSOR.matcher((partitions > 1 && text != null) ? text : "");
		if (!matcher.matches()) {
			return new SpreadCursor(0, text);
		}
		int number = Integer.parseInt(matcher.group(1));
		if (number >= partitions) {
			throw new IllegalArgumentException("The cursor is not one that was returned");
		}
		return new SpreadCursor(number, matcher.group(2).isEmpty() ? null : matcher.group(2));
	}

	/** Where to go on after a step, which has returned a cursor of its partition. */
	SpreadCursor after(@Nullable String next) {
		return new SpreadCursor(this.number + ((next == null) ? 1 : 0), next);
	}

	/** {@code null} if it is behind the last partition. */
	@Nullable String text(int partitions) {
		if (this.number == partitions) {
			return null;
		}
		return (this.number == 0) ? this.position : this.number + "/" + ((this.position != null) ? this.position : "");
	}

}
