package io.github.delayqueue.store;

import java.util.Collection;

/**
 * Bounds of a single call, the same for every store. Public for the packages of the
 * stores.
 */
public final class Bounds {

	private Bounds() {
	}

	/** Throws {@link IllegalArgumentException} if it is larger. */
	public static void requireBatch(Collection<?> batch) {
		if (batch.size() > TaskStore.MAX_BATCH) {
			throw new IllegalArgumentException(batch.size() + " entries in one call, at most " + TaskStore.MAX_BATCH);
		}
	}

	/** Throws {@link IllegalArgumentException} if it asks for none, or too many. */
	public static void requireLimit(int limit) {
		if (limit < 1 || limit > TaskStore.MAX_BATCH) {
			throw new IllegalArgumentException("Limit must be 1 to " + TaskStore.MAX_BATCH + ", not " + limit);
		}
	}

}
