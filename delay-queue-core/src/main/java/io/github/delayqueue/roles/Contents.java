package io.github.delayqueue.roles;

/**
 * The contents of a list of tasks, see {@link QueueView#list}.
 *
 * @param maxBytes the largest envelope that is read, in bytes, zero for none
 * @param dueOnly whether scheduled tasks that are not yet due are left out
 */
public record Contents(int maxBytes, boolean dueOnly) {

	/** No envelope: the cost is bounded, and small, whatever is in them. */
	public static final Contents NONE = new Contents(0, false);

	/** Envelopes of at most 4 KiB: the cost is bounded whatever is in them. */
	public static final Contents SMALL = new Contents(4096, false);

	/** All envelopes, however large they are. */
	public static final Contents ALL = new Contents(Integer.MAX_VALUE, false);

	/** The same of those tasks alone that are due, by the clock of the store. */
	public Contents ofDue() {
		return new Contents(this.maxBytes, true);
	}

}
