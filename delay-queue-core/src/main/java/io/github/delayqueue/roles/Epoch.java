package io.github.delayqueue.roles;

import java.util.regex.Pattern;

/**
 * How far a store has come, as somebody may remember it elsewhere. A store that was
 * emptied or exchanged returns another incarnation. One that was restored from an old
 * copy, or lost its latest writes, has fewer beats than are remembered. It becomes
 * another incarnation when it is told so.
 *
 * @param incarnation the text that the first beat after the store came to be brought
 * along
 * @param beat how many beats there have been since
 * @param table the id of the table that the tasks are kept in, empty if there is none
 */
public record Epoch(String incarnation, long beat, String table) {

	/** The epoch before the store was first asked. */
	public static final Epoch NONE = new Epoch("", 0);

	private static final Pattern INCARNATION = Pattern.compile("[A-Za-z0-9_-]{1,64}");

	/** An epoch of tasks that no table is known of. */
	public Epoch(String incarnation, long beat) {
		this(incarnation, beat, "");
	}

	/** This epoch, of tasks that are kept in a table. */
	public Epoch of(String table) {
		return new Epoch(this.incarnation, this.beat, table);
	}

	/** Check a text of 1 to 64 letters, digits, hyphens and underscores. */
	public static String requireIncarnation(String incarnation) {
		if (!INCARNATION.matcher(incarnation).matches()) {
			throw new IllegalArgumentException("An incarnation is 1 to 64 letters, digits, '-' and '_'");
		}
		return incarnation;
	}

}
