package io.github.delayqueue.journal;

import java.time.Duration;

/**
 * When a loader next looks at a row. It is committed before a task is handed to the
 * store: so the table shows what a lost store may have had.
 *
 * @param horizon tasks that are due within this time are in the store
 */
record CheckTimes(Duration horizon) {

	/**
	 * Rows that only the table has are looked at at this and a time: they are counted and
	 * listed by the index.
	 */
	static final long FAR = 1L << 61;

	/**
	 * From then on nobody looks unless there is a loss: dead letters that the store knows
	 * as dead.
	 */
	static final long RESTING = 1L << 62;

	/**
	 * Other dead letters, likewise: no index tells dead ones from others within the same
	 * range.
	 */
	static final long DIED = RESTING + (1L << 61);

	/** So overdue a task may have been lost by the store. */
	static final Duration OVERDUE = Duration.ofSeconds(30);

	/** So often, at least, a task is looked at that stays overdue. */
	static final Duration RAREST = Duration.ofHours(1);

	static final Duration WRITTEN = Duration.ofMinutes(1);

	static final Duration URGENT = Duration.ofSeconds(5);

	/** What is not due soon is looked at so long before. */
	private static final Duration BEFORE_DUE = Duration.ofSeconds(20);

	static long range(long checkMillis) {
		return (checkMillis >= DIED) ? DIED : isFar(checkMillis) ? FAR : 0;
	}

	static boolean isFar(long checkMillis) {
		return checkMillis >= FAR && checkMillis < RESTING;
	}

	long horizonMillis(long now) {
		return now + this.horizon.toMillis();
	}

	/** Of a task that only the table has: an even number is an instant, odd a delay. */
	static boolean isInstant(long checkMillis) {
		return isFar(checkMillis) && checkMillis % 2 == 0;
	}

	/**
	 * Of a task whose writer hands it over after the commit, if it is due within the
	 * horizon.
	 */
	long written(long due, long now, boolean delayed) {
		if (due > horizonMillis(now)) {
			long before = FAR + due - this.horizon.toMillis();
			return delayed ? (before - 1) | 1 : before & ~1;
		}
		return Math.max(now + URGENT.toMillis(), Math.min(now + WRITTEN.toMillis(), due - BEFORE_DUE.toMillis()));
	}

	long handedOver(long due, long now) {
		return (due > handedMillis(now)) ? due - leadMillis() : due + OVERDUE.toMillis();
	}

	/** Nobody looks further ahead after a loss. */
	long handedMillis(long now) {
		return Math.min(horizonMillis(now), now + RAREST.toMillis());
	}

	long leadMillis() {
		return Math.min(BEFORE_DUE.toMillis(), this.horizon.toMillis() / 2);
	}

	/** Until when all is looked at again that a lost store may have had. */
	long latest(long now) {
		return now + Math.max(this.horizon.toMillis(), RAREST.toMillis()) + WRITTEN.toMillis();
	}

}
