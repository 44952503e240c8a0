package io.github.delayqueue.roles;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.github.delayqueue.Names;

/**
 * How many tasks fall due when. Tasks in flight are in no figure, and a recurring task is
 * counted at its next time only. Public for the stores.
 *
 * @param overdue tasks that are due already, by the clock of the store
 * @param bars for each bar how many tasks become due in it that are not yet due
 * @param complete whether all tasks have been counted; else the bars are lower bounds
 */
public record Forecast(long overdue, List<Long> bars, boolean complete) {

	/**
	 * Add what another part of the same queue says.
	 * @param other a forecast of the same bars
	 */
	public Forecast plus(Forecast other) {
		List<Long> sums = IntStream.range(0, this.bars.size())
			.mapToObj((bar) -> this.bars.get(bar) + other.bars.get(bar))
			.toList();
		return new Forecast(this.overdue + other.overdue, sums, this.complete && other.complete);
	}

	/**
	 * Spans of time of the same length, one after the other. The first one also counts
	 * what becomes due before it, so that nothing is missed if the caller's clock is
	 * ahead of the store's.
	 *
	 * @param start when the first one begins
	 * @param step how long each is, a millisecond or longer
	 * @param count how many there are, 1 to {@value #MOST}
	 */
	public record Bars(Instant start, Duration step, int count) {

		/** Most bars of a forecast. */
		public static final int MOST = 120;

		public Bars {
			if (count < 1 || count > MOST || step.toMillis() < 1) {
				throw new IllegalArgumentException("There must be 1 to " + MOST
						+ " bars of a millisecond or longer, not " + count + " of " + Names.printable(step));
			}
		}

		/** When a bar begins, by its number; one more is where the last one ends. */
		public Instant start(int bar) {
			return this.start.plus(this.step.multipliedBy(bar));
		}

		/**
		 * In which bar a task becomes due that is not yet due.
		 * @param dueMillis when, in milliseconds since the epoch
		 * @return the number of the bar, {@link #count()} if it is later than all
		 */
		public int of(long dueMillis) {
			long bar = Math.floorDiv(dueMillis - this.start.toEpochMilli(), this.step.toMillis());
			return (int) Math.max(0, Math.min(bar, this.count));
		}

	}

}
