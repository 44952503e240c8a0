package io.github.delayqueue;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/**
 * When a recurring task is run: in fixed steps, or at the times of a cron expression. A
 * pure function from an instant to the next one, so that runs do not drift, however late
 * they are. Immutable.
 * <p>
 * Steps have a first time and are counted from it. Scheduling {@linkplain #from(Instant)
 * gives} it; without, steps are counted from the instant that one asks about.
 *
 * @param period from one run to the next, {@code null} with a cron expression
 * @param times of a cron expression, {@code null} with a period
 * @param onMissed what happens for missed times
 * @param first from when on steps are counted, cut to the millisecond, and to the years
 * -9999 to 10000. {@code null} with a cron expression, and if no first time has been
 * given
 */
public record Recurrence(@Nullable Duration period, @Nullable CronTimes times, OnMissed onMissed,
		@Nullable Instant first) {

	/** The shortest period. */
	public static final Duration MIN_PERIOD = Duration.ofSeconds(1);

	/** The longest period. */
	public static final Duration MAX_PERIOD = Duration.ofDays(36_500);

	/** Longest cron expression, in characters. */
	public static final int MAX_CRON_LENGTH = 200;

	/** Later than that nothing is due. */
	private static final Instant EARLIEST = Instant.parse("-9999-01-01T00:00:00Z");

	private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

	public Recurrence {
		Objects.requireNonNull(onMissed, "onMissed must not be null");
		if (times == null) {
			requirePossible(Objects.requireNonNull(period, "period must not be null"));
		}
		else if (period != null) {
			throw new IllegalArgumentException("a recurrence has either a period or a cron expression, not both");
		}
		first = (period != null && first != null) ? bounded(first) : null;
	}

	/** Says what happens for times at which no instance could run the task. */
	public enum OnMissed {

		/** All of them together are made up for by one run, as soon as possible. */
		ONCE,

		/**
		 * A run that nobody has begun until the time of the one after it does not take
		 * place.
		 */
		SKIP

	}

	/**
	 * In fixed steps.
	 * @param period from the time of one run to that of the next, a second to 36,500
	 * days, in whole milliseconds
	 * @throws IllegalArgumentException if the period is not possible
	 */
	public static Recurrence every(Duration period) {
		return new Recurrence(period, null, OnMissed.ONCE, null);
	}

	private static void requirePossible(Duration period) {
		if (period.compareTo(MIN_PERIOD) < 0 || period.compareTo(MAX_PERIOD) > 0) {
			throw new IllegalArgumentException("every must be a period of " + Names.printable(MIN_PERIOD) + " to "
					+ Names.printable(MAX_PERIOD) + ", but is " + Names.printable(period));
		}
		if (period.getNano() % 1_000_000 != 0) {
			throw new IllegalArgumentException("every must be whole milliseconds, but is " + Names.printable(period));
		}
	}

	/**
	 * At the times of a cron expression.
	 * @param expression an expression of six fields, or a macro such as {@code @daily},
	 * as {@link CronExpression} takes it. When clocks are put forward, a time that is
	 * skipped comes as much later. When they are put back, a time that comes twice counts
	 * once, unless the expression names the same minute of the hours around it
	 * @param zone the time zone of its times
	 * @throws IllegalArgumentException if it is no such expression, or there is no such
	 * time
	 */
	public static Recurrence cron(String expression, ZoneId zone) {
		Objects.requireNonNull(expression, "cron must not be null");
		Objects.requireNonNull(zone, "zone must not be null");
		Recurrence recurrence = new Recurrence(null, new CronTimes(parse(expression), zone), OnMissed.ONCE, null);
		if (recurrence.next(Instant.EPOCH) == null) {
			throw new IllegalArgumentException("cron '" + expression + "' names a time that never comes");
		}
		return recurrence;
	}

	/**
	 * As {@link #cron(String, ZoneId)}, in a zone that is named.
	 * @param zone a region such as {@code Europe/Berlin}, or an offset such as
	 * {@code +01:00}
	 * @throws IllegalArgumentException if either is not possible
	 */
	public static Recurrence cron(String expression, String zone) {
		try {
			return cron(expression, ZoneId.of(zone));
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException(
					"zone '" + Names.printable(zone) + "' is not known; an example is Europe/Berlin", ex);
		}
	}

	private static CronExpression parse(String expression) {
		if (expression.length() > MAX_CRON_LENGTH) {
			throw new IllegalArgumentException(
					"cron has " + expression.length() + " characters, at most are " + MAX_CRON_LENGTH);
		}
		try {
			return CronExpression.parse(expression);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("cron '" + Names.printable(expression)
					+ "' is no cron expression of six fields (second, minute, hour, day, month, day of the week): "
					+ Names.printable(String.valueOf(ex.getMessage())), ex);
		}
	}

	/** The same, with another rule for missed times, by default {@link OnMissed#ONCE}. */
	public Recurrence onMissed(OnMissed onMissed) {
		return new Recurrence(this.period, this.times, onMissed, this.first);
	}

	/** The same, with steps counted from an instant. A cron expression needs none. */
	public Recurrence from(Instant first) {
		return new Recurrence(this.period, this.times, this.onMissed, first);
	}

	/** So that no difference of two instants is more than milliseconds can say. */
	private static Instant bounded(Instant instant) {
		if (instant.isBefore(EARLIEST)) {
			return EARLIEST;
		}
		return Instant.ofEpochMilli((instant.isAfter(LATEST) ? LATEST.plusMillis(1) : instant).toEpochMilli());
	}

	/** The cron expression, {@code null} with a period. */
	public @Nullable String cron() {
		return (this.times != null) ? this.times.expression().toString() : null;
	}

	/** The time zone of the cron expression; {@code null} with a period. */
	public @Nullable ZoneId zone() {
		return (this.times != null) ? this.times.zone() : null;
	}

	/**
	 * The first time that is later than an instant; {@code null} if there is none before
	 * the end of the year 9999.
	 */
	public @Nullable Instant next(Instant after) {
		if (after.isAfter(LATEST)) {
			return null;
		}
		Instant next = (this.times != null) ? this.times.next(after)
				: nextStep(after, Objects.requireNonNull(this.period));
		return (next != null && !next.isAfter(LATEST)) ? next : null;
	}

	private Instant nextStep(Instant after, Duration step) {
		Instant from = (this.first != null) ? this.first : after;
		if (after.isBefore(from)) {
			return from;
		}
		long millis = step.toMillis();
		long passed = Duration.between(from, after).toMillis() / millis;
		return from.plusMillis(Math.multiplyExact(passed + 1, millis));
	}

	/**
	 * The time after a run: all times until it was begun are covered by it.
	 * @param dueAt when the run was due
	 * @param begunAt when it was begun, by the same clock
	 * @return the next time, {@code null} if there is none before the end of the year
	 * 9999
	 */
	public @Nullable Instant nextAfterRun(Instant dueAt, Instant begunAt) {
		Recurrence counted = (this.first != null) ? this : from(dueAt);
		return counted.next(begunAt.isAfter(dueAt) ? begunAt : dueAt);
	}

	/**
	 * Whether a run is skipped because it is too late, given when it was due and the time
	 * now: missed runs are skipped, and it is time for the run after it.
	 */
	public boolean isSkipped(Instant dueAt, Instant now) {
		Instant next = (this.onMissed == OnMissed.SKIP) ? next(dueAt) : null;
		return next != null && !next.isAfter(now);
	}

	/**
	 * Whether another recurrence is the same but for the instant that steps are counted
	 * from.
	 */
	public boolean isLike(@Nullable Recurrence other) {
		return other != null && Objects.equals(this.period, other.period) && Objects.equals(cron(), other.cron())
				&& Objects.equals(zone(), other.zone()) && this.onMissed == other.onMissed;
	}

	/** In words: {@code every 1 h 30 m}, or the cron expression and its zone. */
	@Override
	public String toString() {
		String times = (this.period != null)
				? "every " + Names.printable(this.period).replaceAll("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)", " ")
				: cron() + " " + zone();
		return (this.onMissed == OnMissed.SKIP) ? times + ", missed runs are skipped" : times;
	}

}
