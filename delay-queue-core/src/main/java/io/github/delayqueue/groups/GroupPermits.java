package io.github.delayqueue.groups;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

import io.github.delayqueue.limits.RateLimit;

/**
 * Permits of the groups of one queue in memory, as the scripts have them: times in
 * microseconds since which they have come in.
 */
final class GroupPermits {

	/** Rest of a group whose last permit was taken. */
	private static final long PAUSE = 5000;

	private static final long SAVED = RateLimit.SAVED.toMillis() * 1000;

	private final Map<String, Long> since = new HashMap<>();

	private final long period;

	private final int tasks;

	GroupPermits(RateLimit rate) {
		this.period = rate.period().toMillis() * 1000;
		this.tasks = rate.tasks();
	}

	/** How many a group has left. */
	int left(String name, Instant now) {
		return Math.toIntExact((micros(now) - since(name, micros(now))) * this.tasks / this.period);
	}

	/** What is claimed again takes one if there is one, but waits for none. */
	void take(String name, int count, Instant now) {
		this.since.put(name, Math.min(micros(now), since(name, micros(now)) + microsFor(count)));
	}

	/** When the next one of a group comes in, or later if it has just taken some. */
	Instant next(String name, boolean took, Instant now) {
		long next = Math.max(since(name, micros(now)) + microsFor(1), took ? micros(now) + PAUSE : 0);
		return Instant.ofEpochMilli(Math.floorDiv(next + 999, 1000L));
	}

	private long since(String name, long now) {
		long since = this.since.getOrDefault(name, 0L);
		return (since > now) ? now - microsFor(1) : Math.max(since, now - microsFor(1) - SAVED);
	}

	/** How long so many permits take to come in, rounded up. */
	private long microsFor(int count) {
		return Math.floorDiv(count * this.period + this.tasks - 1, (long) this.tasks);
	}

	private static long micros(Instant time) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, time);
	}

}
