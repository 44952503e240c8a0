package io.github.delayqueue.journal;

import java.time.Duration;

/**
 * When a loader next looks at a row. Whoever is about to hand a task to the store notes
 * that first, and commits it: so what a lost store may have had can be seen in the table.
 * All times are milliseconds since the epoch.
 *
 * @param horizon tasks that are due within this time are in the store
 */
record CheckTimes(Duration horizon) {

	/**
	 * Those of tasks that only the table has, as they are due beyond the horizon, are
	 * this and a time: they are counted and listed without a look at any other row.
	 */
	static final long FAR = 1L << 61;

	/**
	 * From then on nobody looks at rows unless there is a loss: those of dead letters
	 * that the store knows as dead, by when they died.
	 */
	static final long RESTING = 1L << 62;

	/**
	 * Those of dead letters that the store has to be seen to have are this and a time: no
	 * index tells dead ones from others within the same range.
	 */
	static final long DIED = RESTING + (1L << 61);

	/** A task that is overdue for so long may have been lost by the store. */
	static final Duration OVERDUE = Duration.ofSeconds(30);

	/** A task that stays overdue is looked at more and more rarely, but so often. */
	static final Duration RAREST = Duration.ofHours(1);

	/** What was written and is not due soon is looked at after this time. */
	static final Duration WRITTEN = Duration.ofMinutes(1);

	/** What is due soon is looked at after this time. */
	static final Duration URGENT = Duration.ofSeconds(5);

	/** What is not due soon is looked at so long before. */
	private static final Duration BEFORE_DUE = Duration.ofSeconds(20);

	/** In which of the ranges it is: {@link #FAR}, {@link #DIED} or 0. */
	static long range(long checkMillis) {
		return (checkMillis >= DIED) ? DIED : isFar(checkMillis) ? FAR : 0;
	}

	static boolean isFar(long checkMillis) {
		return checkMillis >= FAR && checkMillis < RESTING;
	}

	/** Until when tasks have to be due to be in the store. */
	long horizonMillis(long now) {
		return now + this.horizon.toMillis();
	}

	/** Of a task that only the table has: an even number is an instant, odd a delay. */
	static boolean isInstant(long checkMillis) {
		return isFar(checkMillis) && checkMillis % 2 == 0;
	}

	/**
	 * When to look at a task that is being written: its writer hands it over after the
	 * commit, if it is due within the horizon.
	 * @param delayed whether it is due after a delay, not at an instant
	 */
	long written(long due, long now, boolean delayed) {
		if (due > horizonMillis(now)) {
			long before = FAR + due - this.horizon.toMillis();
			return delayed ? (before - 1) | 1 : before & ~1;
		}
		return Math.max(now + URGENT.toMillis(), Math.min(now + WRITTEN.toMillis(), due - BEFORE_DUE.toMillis()));
	}

	/** When to look at a task that the store has, by when it is due next. */
	long handedOver(long due, long now) {
		return (due > handedMillis(now)) ? due - leadMillis() : due + OVERDUE.toMillis();
	}

	/**
	 * What is due later and in the store is looked at before it is due: nobody looks so
	 * far ahead after a loss, by the horizon that there is or by a smaller one later.
	 */
	long handedMillis(long now) {
		return Math.min(horizonMillis(now), now + RAREST.toMillis());
	}

	/** How long before it is due a task is looked at that is not due soon. */
	long leadMillis() {
		return Math.min(BEFORE_DUE.toMillis(), this.horizon.toMillis() / 2);
	}

	/** Until when all is looked at again that a lost store may have had. */
	long latest(long now) {
		return now + Math.max(this.horizon.toMillis(), RAREST.toMillis()) + WRITTEN.toMillis();
	}

}
