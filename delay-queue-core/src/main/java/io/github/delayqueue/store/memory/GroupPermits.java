package io.github.delayqueue.store.memory;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

import io.github.delayqueue.limits.RateLimit;

/** Permits of the groups of one queue, as the scripts have them. */
final class GroupPermits {

	/** Rest of a group whose last permit was taken. */
	private static final long PAUSE = 5000;

	private final Map<String, Long> since = new HashMap<>();

	private final RatePermits permits;

	GroupPermits(RateLimit rate) {
		this.permits = RatePermits.of(rate);
	}

	/** How many a group has left. */
	int left(String name, Instant now) {
		return Math.toIntExact(this.permits.left(this.since.getOrDefault(name, 0L), micros(now)));
	}

	/** What is claimed again takes one if there is one, but waits for none. */
	void take(String name, int count, Instant now) {
		this.since.put(name, Math.min(micros(now), since(name, micros(now)) + this.permits.microsFor(count)));
	}

	/** When the next one of a group comes in, or later if it has just taken some. */
	Instant next(String name, boolean took, Instant now) {
		long next = Math.max(since(name, micros(now)) + this.permits.microsFor(1), took ? micros(now) + PAUSE : 0);
		return Instant.ofEpochMilli(Math.floorDiv(next + 999, 1000L));
	}

	private long since(String name, long now) {
		return this.permits.since(this.since.getOrDefault(name, 0L), now);
	}

	private static long micros(Instant time) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, time);
	}

}
