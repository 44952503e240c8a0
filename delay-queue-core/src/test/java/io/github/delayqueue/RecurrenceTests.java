package io.github.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.scheduling.support.CronExpression;

import io.github.delayqueue.Recurrence.OnMissed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * When a recurring task is run.
 */
class RecurrenceTests {

	private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

	private static final Instant FIRST = Instant.parse("2026-01-01T08:00:00Z");

	private static final Duration HOUR = Duration.ofHours(1);

	@Test
	void hasEitherAPeriodOrACronExpression() {
		CronTimes times = new CronTimes(CronExpression.parse("@daily"), BERLIN);
		assertThatIllegalArgumentException().isThrownBy(() -> new Recurrence(HOUR, times, OnMissed.ONCE, null))
			.withMessage("a recurrence has either a period or a cron expression, not both");
	}

	@Test
	void stepsAreCountedFromTheFirstTimeHoweverLateARunIs() {
		Recurrence hourly = Recurrence.every(HOUR).from(FIRST);
		assertThat(hourly.next(FIRST.minusSeconds(5000))).isEqualTo(FIRST);
		assertThat(hourly.next(FIRST)).isEqualTo(FIRST.plus(HOUR));
		assertThat(hourly.next(FIRST.plusMillis(1))).isEqualTo(FIRST.plus(HOUR));
		assertThat(hourly.next(FIRST.plus(HOUR).minusMillis(1))).isEqualTo(FIRST.plus(HOUR));
		assertThat(hourly.next(FIRST.plus(HOUR))).isEqualTo(FIRST.plus(HOUR.multipliedBy(2)));
		assertThat(hourly.next(FIRST.plus(Duration.ofDays(3)).plusNanos(1)))
			.isEqualTo(FIRST.plus(Duration.ofDays(3)).plus(HOUR));
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, 0, Long.MAX_VALUE })
	void impossiblePeriodIsRefused(long seconds) {
		assertThatIllegalArgumentException().isThrownBy(() -> Recurrence.every(Duration.ofSeconds(seconds)))
			.withMessageContaining("every must be a period of");
	}

	@Test
	void withoutAFirstTimeStepsAreCountedFromWhenTheRunWasDue() {
		Recurrence hourly = Recurrence.every(HOUR);
		assertThat(hourly.next(FIRST)).isEqualTo(FIRST.plus(HOUR));
		assertThat(hourly.nextAfterRun(FIRST, FIRST.plusSeconds(10))).isEqualTo(FIRST.plus(HOUR));
		assertThat(hourly.nextAfterRun(FIRST, FIRST.plus(HOUR))).isEqualTo(FIRST.plus(HOUR.multipliedBy(2)));
	}

	@Test
	void timesUntilARunWasBegunAreCoveredByIt() {
		Recurrence hourly = Recurrence.every(HOUR).from(FIRST);
		assertThat(hourly.nextAfterRun(FIRST, FIRST)).isEqualTo(FIRST.plus(HOUR));
		assertThat(hourly.nextAfterRun(FIRST, FIRST.plus(Duration.ofMinutes(150))))
			.isEqualTo(FIRST.plus(HOUR.multipliedBy(3)));
		assertThat(hourly.nextAfterRun(FIRST, FIRST.minus(Duration.ofDays(1)))).as("clock set back")
			.isEqualTo(FIRST.plus(HOUR));
	}

	@Test
	void missedRunIsSkippedOnceTheTimeOfTheNextHasCome() {
		Recurrence hourly = Recurrence.every(HOUR).from(FIRST);
		assertThat(hourly.isSkipped(FIRST, FIRST.plus(HOUR.multipliedBy(5)))).isFalse();
		Recurrence skipping = hourly.onMissed(OnMissed.SKIP);
		assertThat(skipping.isSkipped(FIRST, FIRST.plus(HOUR).minusMillis(1))).isFalse();
		assertThat(skipping.isSkipped(FIRST, FIRST.plus(HOUR))).isTrue();
		assertThat(skipping.isSkipped(FIRST.plusSeconds(90), FIRST.plus(HOUR))).as("a retry").isTrue();
	}

	@Test
	void endsWithTheYear9999() {
		Recurrence longest = Recurrence.every(Recurrence.MAX_PERIOD);
		assertThat(longest.next(Instant.parse("9998-01-01T00:00:00Z"))).isNull();
		assertThat(longest.next(FIRST)).isEqualTo(FIRST.plus(Duration.ofDays(36_500)));
	}

	@Test
	void dailyTimeStaysTheSameOfTheClockInTheZone() {
		assertThat(times("0 0 9 * * *", "2026-03-27T12:00:00Z", 3)).containsExactly("2026-03-28T09:00+01:00",
				"2026-03-29T09:00+02:00", "2026-03-30T09:00+02:00");
		assertThat(times("0 0 9 * * *", "2026-10-23T12:00:00Z", 3)).containsExactly("2026-10-24T09:00+02:00",
				"2026-10-25T09:00+01:00", "2026-10-26T09:00+01:00");
	}

	@Test
	void timeOfDayThatThereIsNotComesLaterOnThatDay() {
		assertThat(times("0 30 2 * * *", "2026-03-28T00:00:00Z", 3)).containsExactly("2026-03-28T02:30+01:00",
				"2026-03-29T03:30+02:00", "2026-03-30T02:30+02:00");
		assertThat(times("0 0 2 * * *", "2026-03-28T12:00:00Z", 2)).containsExactly("2026-03-29T03:00+02:00",
				"2026-03-30T02:00+02:00");
		assertThat(times("0 0 2,3 * * *", "2026-03-28T12:00:00Z", 2)).containsExactly("2026-03-29T03:00+02:00",
				"2026-03-30T02:00+02:00");
	}

	@Test
	void severalTimesOfDayThatThereAreNotAllComeLater() {
		assertThat(times("0 0/20 2 * * *", "2026-03-28T12:00:00Z", 4)).containsExactly("2026-03-29T03:00+02:00",
				"2026-03-29T03:20+02:00", "2026-03-29T03:40+02:00", "2026-03-30T02:00+02:00");
		assertThat(times("0 15,45 2 * * *", "2026-03-28T12:00:00Z", 3)).containsExactly("2026-03-29T03:15+02:00",
				"2026-03-29T03:45+02:00", "2026-03-30T02:15+02:00");
		assertThat(times("0 30 2 * * *", "2026-03-29T01:10:00Z", 1)).as("asked while it is to come")
			.containsExactly("2026-03-29T03:30+02:00");
	}

	@Test
	void timeOfDayThatThereIsTwiceComesOnce() {
		assertThat(times("0 30 2 * * *", "2026-10-24T12:00:00Z", 2)).containsExactly("2026-10-25T02:30+02:00",
				"2026-10-26T02:30+01:00");
		assertThat(times("0 0/30 2 * * *", "2026-10-24T12:00:00Z", 3)).containsExactly("2026-10-25T02:00+02:00",
				"2026-10-25T02:30+02:00", "2026-10-26T02:00+01:00");
		assertThat(times("0 0 2,3 * * *", "2026-10-24T12:00:00Z", 3)).containsExactly("2026-10-25T02:00+02:00",
				"2026-10-25T03:00+01:00", "2026-10-26T02:00+01:00");
	}

	@Test
	void runThatWasLateIntoTheSecondPassDoesNotComeAgain() {
		Recurrence daily = Recurrence.cron("0 30 2 * * *", BERLIN);
		Instant late = OffsetDateTime.parse("2026-10-25T02:10+01:00").toInstant();
		assertThat(daily.next(late)).isEqualTo(OffsetDateTime.parse("2026-10-26T02:30+01:00").toInstant());
	}

	@Test
	void expressionThatGoesOnThroughTheHourGoesOn() {
		assertThat(times("0 0 * * * *", "2026-10-24T23:30:00Z", 4)).containsExactly("2026-10-25T02:00+02:00",
				"2026-10-25T02:00+01:00", "2026-10-25T03:00+01:00", "2026-10-25T04:00+01:00");
		assertThat(times("0 */30 * * * *", "2026-10-25T00:01:00Z", 4)).containsExactly("2026-10-25T02:30+02:00",
				"2026-10-25T02:00+01:00", "2026-10-25T02:30+01:00", "2026-10-25T03:00+01:00");
		assertThat(times("0 */30 * * * *", "2026-03-29T00:01:00Z", 4)).containsExactly("2026-03-29T01:30+01:00",
				"2026-03-29T03:00+02:00", "2026-03-29T03:30+02:00", "2026-03-29T04:00+02:00");
	}

	/** At any instant, so also in the midst of a change of clocks. */
	@Test
	void nextTimeIsAlwaysLaterAndTheSameUntilItHasCome() {
		Random random = new Random(7);
		List<String> expressions = List.of("0 30 2 * * *", "0 0 * * * *", "0 */7 1-3 * * *", "15 10 2 25 10 *",
				"0 0 2 L * *", "0 30 2 29 3 *", "59 59 23 * * SUN");
		for (String zone : List.of("Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca")) {
			for (String expression : expressions) {
				Recurrence recurrence = Recurrence.cron(expression, zone);
				Instant from = Instant.parse("2026-01-01T00:00:00Z");
				for (int i = 0; i < 200; i++) {
					Instant after = from.plusMillis((long) (random.nextDouble() * 365 * 86_400_000L));
					Instant next = recurrence.next(after);
					assertThat(next).as("%s in %s after %s", expression, zone, after).isAfter(after);
					Instant between = after
						.plusMillis((long) (random.nextDouble() * Duration.between(after, next).toMillis()));
					assertThat(recurrence.next(between)).as("%s in %s after %s", expression, zone, between)
						.isEqualTo(next);
				}
			}
		}
	}

	/**
	 * Minute by minute, compared with all times of these days, put together one by one;
	 * five hours before and after the change.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "2026-03-29 Europe/Berlin", "2026-10-25 Europe/Berlin", "2026-10-04 Australia/Lord_Howe",
			"2026-04-05 Australia/Lord_Howe", "2026-03-08 America/St_Johns", "2026-11-01 America/St_Johns",
			"2026-02-15 Africa/Casablanca", "2026-03-22 Africa/Casablanca", "2011-12-30 Pacific/Apia" })
	void timesAreThoseOfTheClockOnTheWallMinuteByMinuteWhenItIsChanged(String change) {
		LocalDate day = LocalDate.parse(change.substring(0, 10));
		ZoneId zone = ZoneId.of(change.substring(11));
		for (String expression : List.of("0 30 2 * * *", "0 0/20 2 * * *", "0 15,45 2 * * *", "0 0 2,3 * * *",
				"0 10 1-3 * * *", "0 0 * * * *", "0 */10 * * * *", "0 35,55 * * * *", "0 */7 0-3 * * *",
				"30 0 3 * * SUN", "0 59 1,2 * * *")) {
			NavigableSet<Instant> times = timesAround(day, expression, zone);
			Recurrence recurrence = Recurrence.cron(expression, zone);
			Instant changed = zone.getRules()
				.nextTransition(day.minusDays(1).atStartOfDay(zone).toInstant())
				.getInstant();
			for (int minute = -300; minute < 300; minute++) {
				Instant after = changed.plusSeconds(60 * minute);
				assertThat(recurrence.next(after)).as("%s in %s after %s", expression, zone, after)
					.isEqualTo(times.higher(after));
			}
		}
	}

	private static NavigableSet<Instant> timesAround(LocalDate day, String expression, ZoneId zone) {
		CronExpression cron = CronExpression.parse(expression);
		List<LocalDateTime> named = new ArrayList<>();
		LocalDateTime end = day.plusDays(10).atStartOfDay();
		for (LocalDateTime time = cron.next(day.minusDays(3).atStartOfDay()); time
			.isBefore(end); time = cron.next(time)) {
			named.add(time);
		}
		NavigableSet<Instant> times = new TreeSet<>();
		for (LocalDateTime time : named) {
			ZoneOffsetTransition transition = zone.getRules().getTransition(time);
			times.add((transition != null) ? time.toInstant(transition.getOffsetBefore())
					: time.atZone(zone).toInstant());
			if (transition != null && transition.isOverlap() && named.contains(time.plus(transition.getDuration()))
					&& named.contains(time.minus(transition.getDuration()))) {
				times.add(time.toInstant(transition.getOffsetAfter()));
			}
		}
		return times;
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT-1S, -1s", "PT0.999S, 999ms", "P36500DT1S, 36500d1s", "PT1.0000001S, 1s100ns" })
	void refusesPeriodsThatAreNotPossible(String period, String printed) {
		assertThatIllegalArgumentException().isThrownBy(() -> Recurrence.every(Duration.parse(period)))
			.withMessageStartingWith("every must be ")
			.withMessageEndingWith("but is " + printed);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0 9 * * *", "0 0 25 * * *", "nonsense", "0 0 9 * * * *" })
	void refusesWhatIsNoCronExpression(String expression) {
		assertThatIllegalArgumentException().isThrownBy(() -> Recurrence.cron(expression, BERLIN))
			.withMessageStartingWith("cron '" + expression + "' is no cron expression of six fields");
	}

	@Test
	void refusesTimesThatNeverComeZonesThatAreUnknownAndEndlessExpressions() {
		assertThatIllegalArgumentException().isThrownBy(() -> Recurrence.cron("0 0 0 30 2 *", BERLIN))
			.withMessage("cron '0 0 0 30 2 *' names a time that never comes");
		assertThatIllegalArgumentException().isThrownBy(() -> Recurrence.cron("0 0 9 * * *", "Europe/Atlantis"))
			.withMessage("zone 'Europe/Atlantis' is not known; an example is Europe/Berlin");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Recurrence.cron("0 " + "0,".repeat(200) + "0 9 * * *", BERLIN))
			.withMessage("cron has 411 characters, at most are 200");
	}

	private static List<String> times(String expression, String after, int count) {
		Recurrence recurrence = Recurrence.cron(expression, BERLIN);
		List<String> times = new ArrayList<>();
		Instant time = Instant.parse(after);
		for (int i = 0; i < count; i++) {
			time = recurrence.next(time);
			times.add(String.valueOf(time.atZone(BERLIN).toOffsetDateTime()));
		}
		return times;
	}

}
