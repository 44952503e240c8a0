package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

import io.github.delayqueue.faults.FaultKind;

/**
 * A fault that a simulation is going to inflict.
 *
 * @param kind which
 * @param at when
 * @param hold for how long
 * @param target whom it hits, if there are several
 * @param millis by how much a clock is set
 */
record PlannedFault(FaultKind kind, Duration at, Duration hold, int target, int millis) {

	/** For so long after its beginning a burst keeps consumers busy. */
	private static final int BUSY_MILLIS = 12_000;

	/** One in so many lasts so many times as long. */
	private static final int LONG_EVERY = 6;

	private static final int LONG = 4;

	/**
	 * The same with a journal, whose loader tries again so late that shorter ones are
	 * over by then.
	 */
	private static final int LONG_EVERY_WITH_JOURNAL = 3;

	private static final int LONG_WITH_JOURNAL = 8;

	/** With a journal memory may be full more often: no call fails. */
	private static final int FULL_WITH_JOURNAL = 4;

	/** How often each is inflicted beside the others, and for how long at most. */
	private enum Share {

		CONSUMER_KILLED(16, 300, 5000),

		CONSUMER_STOPPED(12, 500, 9000),

		CONSUMER_ENDED(12, 300, 4000),

		PRODUCER_KILLED(6, 300, 3000),

		REDIS_KILLED(6, 200, 4000),

		REDIS_STOPPED(8, 200, 5000),

		CONNECTIONS_CUT(8, 1, 500),

		REPLIES_CUT(8, 200, 3000),

		CUT_OFF(8, 500, 8000),

		CONNECTIONS_DELAYED(8, 500, 6000),

		CALLS_DOUBLED(6, 500, 5000),

		CALLS_REFUSED(6, 500, 5000),

		MEMORY_FULL(4, 500, 4000),

		CLOCK_FORWARD(4, 500, 6000),

		CLOCK_BACK(4, 500, 6000),

		MESSAGES_LOST(6, 500, 6000),

		/** Only where a journal has what is lost. */
		REDIS_EMPTIED(4, 1, 300),

		/** The same. */
		REDIS_OLDER(8, 1, 300);

		private final int share;

		private final int shortest;

		private final int longest;

		Share(int share, int shortest, int longest) {
			this.share = share;
			this.shortest = shortest;
			this.longest = longest;
		}

		PlannedFault plan(Random random, Duration length, Duration cycle, boolean journal) {
			long at = (long) (random.nextDouble() * length.toMillis());
			if (random.nextInt(3) > 0 && !cycle.isZero()) {
				// in every second burst: what is late in the others has no excuse
				at = at - at % (2 * cycle.toMillis()) + random.nextInt(BUSY_MILLIS);
			}
			int hold = this.shortest + random.nextInt(this.longest - this.shortest);
			if (random.nextInt(journal ? LONG_EVERY_WITH_JOURNAL : LONG_EVERY) == 0) {
				hold *= journal ? LONG_WITH_JOURNAL : LONG;
			}
			return new PlannedFault(FaultKind.valueOf(name()), Duration.ofMillis(at), Duration.ofMillis(hold),
					random.nextInt(1000), 200 + random.nextInt(6000));
		}

	}

	/**
	 * A journal goes by the clocks of instances, which are not to differ from Redis's.
	 */
	private static boolean fits(Share share, boolean journal) {
		return switch (share) {
			case REDIS_EMPTIED, REDIS_OLDER -> journal;
			case CLOCK_FORWARD, CLOCK_BACK -> !journal;
			default -> true;
		};
	}

	/**
	 * Plan faults by chance.
	 * @param random the chance
	 * @param length of the simulation
	 * @param count how many
	 * @param cycle from one burst of calls to the next: most faults are inflicted while
	 * there is something to do; zero if there are none
	 * @param journal whether tasks are in a journal
	 * @return the faults, the earliest first
	 */
	static List<PlannedFault> plan(Random random, Duration length, int count, Duration cycle, boolean journal) {
		TreeMap<Integer, Share> byDice = new TreeMap<>();
		int all = 0;
		for (Share share : Share.values()) {
			if (fits(share, journal)) {
				byDice.put(all, share);
				all += share.share * ((journal && share == Share.MEMORY_FULL) ? FULL_WITH_JOURNAL : 1);
			}
		}
		List<PlannedFault> faults = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			faults.add(byDice.floorEntry(random.nextInt(all)).getValue().plan(random, length, cycle, journal));
		}
		faults.sort(Comparator.comparing(PlannedFault::at));
		return faults;
	}

	@Override
	public String toString() {
		return "%s after %s for %s (%d, %d ms)".formatted(this.kind, this.at, this.hold, this.target, this.millis);
	}

}
