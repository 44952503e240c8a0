package io.github.delayqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * The limits of all consumers of a queue together. Each claim carries the limits of its
 * consumer, and is judged by them: if consumers have different limits, each keeps to its
 * own. Immutable.
 *
 * @param rate how many tasks they may claim in a time, {@code null} for any number
 * @param inFlight how many tasks they may have in flight, at least 1, {@code null} for
 * any number. A task whose lease has run out is not counted, so that dead consumers block
 * no other
 */
public record FlowLimits(@Nullable RateLimit rate, @Nullable Integer inFlight) {

	/** As much as there is. */
	public static final FlowLimits NONE = new FlowLimits(null, null);

	public FlowLimits {
		if (inFlight != null && inFlight < 1) {
			throw new IllegalArgumentException("it must be at least 1");
		}
	}

}
