package io.github.delayqueue.store;

import java.time.Instant;
import java.util.Collection;

/**
 * Bounds of a single call, the same for every store. Public for the packages of the
 * stores.
 */
public final class Bounds {

	/** Scores of Redis are exact up to here. */
	private static final Instant LATEST = Instant.ofEpochMilli(1L << 53);

	private Bounds() {
	}

	/**
	 * A time that may be any.
	 * @return in milliseconds since the epoch, later ones as the latest that there can be
	 */
	public static long millis(Instant time) {
		return (time.isBefore(LATEST) ? time : LATEST).toEpochMilli();
	}

	/**
	 * Check the size of a batch.
	 * @throws IllegalArgumentException if it has more than {@link TaskStore#MAX_BATCH}
	 * entries
	 */
	public static void requireBatch(Collection<?> batch) {
		if (batch.size() > TaskStore.MAX_BATCH) {
			throw new IllegalArgumentException(batch.size() + " entries in one call, at most " + TaskStore.MAX_BATCH);
		}
	}

	/**
	 * Check how many tasks are asked for.
	 * @throws IllegalArgumentException if it is not 1 to {@link TaskStore#MAX_BATCH}
	 */
	public static void requireLimit(int limit) {
		if (limit < 1 || limit > TaskStore.MAX_BATCH) {
			throw new IllegalArgumentException("Limit must be 1 to " + TaskStore.MAX_BATCH + ", not " + limit);
		}
	}

}
