package io.github.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/**
 * The times of a cron expression in a zone, also on the days when its clocks are changed:
 * a time of day that there is not comes as much later as clocks are put forward, and one
 * that there is twice comes once. An expression that goes on through such an hour, hour
 * by hour or minute by minute, goes on.
 * <p>
 * The expression is only ever asked for times of day; which instants those are is decided
 * here.
 *
 * @param expression the expression
 * @param zone the zone
 */
record CronTimes(CronExpression expression, ZoneId zone) {

	@Nullable Instant next(Instant after) {
		LocalDateTime time = LocalDateTime.ofInstant(after, this.zone);
		ZoneOffsetTransition twice = this.zone.getRules().getTransition(time);
		if (twice != null) {
			return nextInOverlap(after, time, twice);
		}
		ZoneOffsetTransition before = this.zone.getRules().previousTransition(after.plusNanos(1));
		Instant next = nextOnClock(time);
		return (before != null && before.isGap()) ? earlier(nextFromGap(time, before), next) : next;
	}

	/** The next one that the clock on the wall comes to, or passes over. */
	private @Nullable Instant nextOnClock(LocalDateTime after) {
		LocalDateTime next = this.expression.next(after);
		if (next == null) {
			return null;
		}
		ZoneOffsetTransition change = this.zone.getRules().getTransition(next);
		if (change == null || change.isOverlap()) {
			// the first of two
			return next.atZone(this.zone).toInstant();
		}
		LocalDateTime behind = this.expression.next(change.getDateTimeAfter().minusNanos(1));
		boolean sooner = behind != null && behind.isBefore(next.plus(change.getDuration()));
		return sooner ? behind.toInstant(change.getOffsetAfter()) : next.toInstant(change.getOffsetBefore());
	}

	/** The next one that the clock passed over, and that comes later for that reason. */
	private @Nullable Instant nextFromGap(LocalDateTime after, ZoneOffsetTransition gap) {
		LocalDateTime missing = after.minus(gap.getDuration());
		if (!missing.isBefore(gap.getDateTimeAfter())) {
			return null;
		}
		LocalDateTime next = this.expression.next(missing);
		return (next != null && next.isBefore(gap.getDateTimeAfter())) ? next.toInstant(gap.getOffsetBefore()) : null;
	}

	/** The next one while the clock shows times that it shows twice. */
	private @Nullable Instant nextInOverlap(Instant after, LocalDateTime time, ZoneOffsetTransition overlap) {
		boolean second = !after.isBefore(overlap.getInstant());
		LocalDateTime end = overlap.getDateTimeBefore();
		LocalDateTime next = this.expression.next(time);
		if (!second && next != null && next.isBefore(end)) {
			return next.toInstant(overlap.getOffsetBefore());
		}
		LocalDateTime again = second ? next : this.expression.next(overlap.getDateTimeAfter().minusNanos(1));
		Duration length = overlap.getDuration().abs();
		while (again != null && again.isBefore(end)) {
			if (goesOn(again, length)) {
				return again.toInstant(overlap.getOffsetAfter());
			}
			again = this.expression.next(again);
		}
		return nextOnClock(end.minusNanos(1));
	}

	/** Whether the expression names the same time in the hour before and after. */
	private boolean goesOn(LocalDateTime time, Duration hour) {
		return isNamed(time.minus(hour)) && isNamed(time.plus(hour));
	}

	private boolean isNamed(LocalDateTime time) {
		return time.equals(this.expression.next(time.minusNanos(1)));
	}

	private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
		return (other == null || (one != null && one.isBefore(other))) ? one : other;
	}

}
