package io.github.delayqueue.roles;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;

/**
 * The past of a queue, by the hour. A store notes the totals of a queue at its first
 * claim of each hour, so nothing is counted apart. Public for the stores.
 *
 * @param hours the hours in which somebody has claimed, in their order: as many as
 * {@link #KEPT} and the present one, which is not over. All that happens in another hour
 * counts to the one before it. An hour is missing, too, if totals have fallen since,
 * because the queue was forgotten for instance
 */
public record History(List<Hour> hours) {

	/** How many hours are kept beside the present one: {@value}. */
	public static final int KEPT = 168;

	/** Of a queue in which nothing is known to have happened. */
	public static final History NONE = new History(List.of());

	/**
	 * Draw from totals what has happened.
	 * @param totals those at the beginnings of hours, in their order, and those of now
	 */
	public static History of(List<Totals> totals) {
		TreeMap<Long, Hour> hours = new TreeMap<>();
		for (int i = 1; i < totals.size(); i++) {
			Totals first = totals.get(i - 1);
			long ago = totals.get(totals.size() - 1).hour() - first.hour();
			if (ago >= 0 && ago <= KEPT && first.isNoneAbove(totals.get(i))) {
				hours.merge(first.hour(), totals.get(i).since(first), Hour::plus);
			}
		}
		return new History(List.copyOf(hours.values()));
	}

	/**
	 * An hour.
	 *
	 * @param start when it begins
	 * @param completed tasks handled
	 * @param retried deliveries that ended with a retry
	 * @param deadLettered tasks that became dead
	 * @param late handlers that began more than a second after their task was due
	 * @param handling how long handlers took in all
	 */
	public record Hour(Instant start, long completed, long retried, long deadLettered, long late, Duration handling) {

		/** Deliveries that have ended. */
		public long ended() {
			return this.completed + this.retried + this.deadLettered;
		}

		/** The same hour, with what has happened elsewhere in it. */
		public Hour plus(Hour other) {
			return new Hour(this.start, this.completed + other.completed, this.retried + other.retried,
					this.deadLettered + other.deadLettered, this.late + other.late, this.handling.plus(other.handling));
		}

	}

	/**
	 * The totals of a queue at some instant.
	 *
	 * @param hour the hour, counted from the epoch
	 * @param handlingMicros how long handlers took, in microseconds
	 */
	public record Totals(long hour, long completed, long retried, long deadLettered, long late, long handlingMicros) {

		private boolean isNoneAbove(Totals later) {
			return this.completed <= later.completed && this.retried <= later.retried
					&& this.deadLettered <= later.deadLettered && this.late <= later.late
					&& this.handlingMicros <= later.handlingMicros;
		}

		private Hour since(Totals first) {
			return new Hour(Instant.EPOCH.plus(first.hour, ChronoUnit.HOURS), this.completed - first.completed,
					this.retried - first.retried, this.deadLettered - first.deadLettered, this.late - first.late,
					Duration.of(this.handlingMicros - first.handlingMicros, ChronoUnit.MICROS));
		}

	}

}
