package io.github.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/**
 * The times of a cron expression in a zone, also on the days when its clocks are changed:
 * a time of day that there is not comes as much later as clocks are put forward, and one
 * that there is twice comes once. An expression that goes on through such an hour, hour
 * by hour or minute by minute, goes on.
 *
 * @param expression the expression
 * @param zone the zone
 */
record CronTimes(CronExpression expression, ZoneId zone) {

	@Nullable Instant next(Instant after) {
		Instant next = nextOnce(after.atZone(this.zone));
		LocalDateTime local = this.expression.next(LocalDateTime.ofInstant(after, this.zone));
		if (local != null && this.zone.getRules().getValidOffsets(local).isEmpty()) {
			Instant later = local.atZone(this.zone).toInstant();
			return (next == null || later.isBefore(next)) ? later : next;
		}
		return next;
	}

	private @Nullable Instant nextOnce(ZonedDateTime after) {
		ZonedDateTime next = this.expression.next(after);
		if (next == null) {
			return null;
		}
		ZoneOffsetTransition transition = this.zone.getRules().getTransition(next.toLocalDateTime());
		boolean second = transition != null && transition.isOverlap()
				&& next.getOffset().equals(transition.getOffsetAfter());
		if (!second || goesOn(next.toLocalDateTime(), transition.getDuration().abs())) {
			return next.toInstant();
		}
		// to where times of day are there once again
		Instant end = transition.getInstant().plus(transition.getDuration().abs());
		ZonedDateTime behind = this.expression.next(end.minusNanos(1).atZone(this.zone));
		return (behind != null) ? behind.toInstant() : null;
	}

	/** Whether the expression names the same time in the hour before and after. */
	private boolean goesOn(LocalDateTime time, Duration hour) {
		return isNamed(time.minus(hour)) && isNamed(time.plus(hour));
	}

	private boolean isNamed(LocalDateTime time) {
		return time.equals(this.expression.next(time.minusNanos(1)));
	}

}
