package io.github.delayqueue.store;

/**
 * Which envelopes of tasks are read by {@link TaskStore#list}.
 */
public enum Contents {

	/** None: the cost is bounded, and small, whatever is in them. */
	NONE(0),

	/** Those of at most 4 KiB: the cost is bounded whatever is in them. */
	SMALL(4096),

	/** All, however large they are. */
	ALL(Integer.MAX_VALUE);

	private final int maxBytes;

	Contents(int maxBytes) {
		this.maxBytes = maxBytes;
	}

	/**
	 * The largest envelope that is read.
	 * @return its size in bytes, zero for none
	 */
	public int maxBytes() {
		return this.maxBytes;
	}

}
