package io.github.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Collections;
import java.util.List;

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
 */
record CronTimes(CronExpression expression, ZoneId zone) {

	/** By no more than this are clocks changed. */
	private static final Duration DAY = Duration.ofDays(1);

	@Nullable Instant next(Instant after) {
		ZoneRules rules = this.zone.getRules();
		// the one that is furthest behind: a time that has passed by others may still
		// come
		ZoneOffset offset = Collections
			.max(List.of(rules.getOffset(after.minus(DAY)), rules.getOffset(after), rules.getOffset(after.plus(DAY))));
		Instant next = null;
		LocalDateTime end = LocalDateTime.MAX;
		LocalDateTime time = this.expression.next(LocalDateTime.ofInstant(after, offset));
		while (time != null && time.isBefore(end)) {
			ZoneOffsetTransition change = rules.getTransition(time);
			for (Instant instant : instants(time, change)) {
				if (instant.isAfter(after) && (next == null || instant.isBefore(next))) {
					// while clocks are changed, a later time may come earlier
					end = (next != null) ? end
							: time.plus((change != null) ? change.getDuration().abs() : Duration.ZERO);
					next = instant;
				}
			}
			time = this.expression.next(time);
		}
		return next;
	}

	private List<Instant> instants(LocalDateTime time, @Nullable ZoneOffsetTransition change) {
		Instant first = time.toInstant(this.zone.getRules().getOffset(time));
		return (change != null && change.isOverlap() && goesOn(time, change.getDuration().abs()))
				? List.of(first, time.toInstant(change.getOffsetAfter())) : List.of(first);
	}

	/** Whether the expression names the same time in the hour before and after. */
	private boolean goesOn(LocalDateTime time, Duration hour) {
		return isNamed(time.minus(hour)) && isNamed(time.plus(hour));
	}

	private boolean isNamed(LocalDateTime time) {
		return time.equals(this.expression.next(time.minusNanos(1)));
	}

}
