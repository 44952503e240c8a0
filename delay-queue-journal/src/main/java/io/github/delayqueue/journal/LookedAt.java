package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a loader has looked at in a queue: an index keeps what was deleted or moved on for
 * as long as anybody may still see it, and looks would walk over that.
 *
 * @param until by range, see {@link CheckTimes#range}: rows that were to be looked at
 * before that time have been
 */
record LookedAt(Map<Long, Long> until) {

	static final LookedAt NOTHING = new LookedAt(Map.of());

	/**
	 * Clocks differ, and transactions commit some time after their rows were given a
	 * time. What comes even later is found by a look at all.
	 */
	private static final Duration MARGIN = Duration.ofSeconds(5);

	static final Duration ALL = Duration.ofSeconds(30);

	long until(long range) {
		return this.until.getOrDefault(range, 0L);
	}

	static LookedAt everythingAt(long nowMillis) {
		long until = Math.max(0, nowMillis - MARGIN.toMillis());
		return new LookedAt(Map.of(0L, until, CheckTimes.FAR, until, CheckTimes.DIED, until));
	}

	/** These have been taken as well. */
	LookedAt and(List<Row> taken) {
		long last = taken.get(taken.size() - 1).checkMillis();
		long range = CheckTimes.range(last);
		Map<Long, Long> until = new HashMap<>(this.until);
		until.put(range, last - range);
		return new LookedAt(Map.copyOf(until));
	}

	/** Not by a clock that was set back since. */
	LookedAt at(long nowMillis) {
		return this.until.values().stream().anyMatch((until) -> until > nowMillis) ? NOTHING : this;
	}

}
