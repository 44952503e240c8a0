package io.github.delayqueue.sample.digest;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.delayqueue.sample.SampleProperties;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DigestTimes}.
 */
class DigestTimesTests {

	@ParameterizedTest
	@CsvSource({
			// now, day of the next digest, when it is due
			"2026-11-20T07:59:59.999Z, 2026-11-20, 2026-11-20T08:00:00Z",
			"2026-11-20T08:00:00Z,     2026-11-21, 2026-11-21T08:00:00Z",
			"2026-11-20T22:59:59Z,     2026-11-21, 2026-11-21T08:00:00Z",
			// In Paris it is the next day already
			"2026-11-20T23:30:00Z,     2026-11-21, 2026-11-21T08:00:00Z",
			// The clocks go forward in the night to 29 March, so there are 23 hours in
			// between
			"2026-03-28T08:00:00Z,     2026-03-29, 2026-03-29T07:00:00Z",
			// and back in the night to 25 October: 25 hours
			"2026-10-24T07:00:00Z,     2026-10-25, 2026-10-25T08:00:00Z" })
	void nextIsDueAtNineOnTheClocksOfTheZone(Instant now, LocalDate date, Instant dueAt) {
		DigestTimes times = times("09:00", "Europe/Paris", now);
		assertThat(times.next()).isEqualTo(date);
		assertThat(times.dueAt(date)).isEqualTo(dueAt);
	}

	@Test
	void isDueAnHourLaterIfClocksLeapOverItsTime() {
		DigestTimes times = times("02:30", "Europe/Paris", Instant.parse("2026-03-28T12:00:00Z"));
		assertThat(times.dueAt(times.next())).isEqualTo("2026-03-29T01:30:00Z"); // 03:30
	}

	@Test
	void isDueOnceIfItsTimeComesTwice() {
		Instant first = Instant.parse("2026-10-25T00:30:00Z"); // 02:30, an hour later
																// again
		assertThat(times("02:30", "Europe/Paris", first.minusMillis(1)).next()).isEqualTo("2026-10-25");
		assertThat(times("02:30", "Europe/Paris", first).next()).isEqualTo("2026-10-26");
		assertThat(times("02:30", "Europe/Paris", first.plus(Duration.ofMinutes(59))).next()).isEqualTo("2026-10-26");
	}

	@Test
	void followsOnTheNextDayIfWrittenEarly() {
		DigestTimes times = times("09:00", "Europe/Paris", Instant.parse("2026-11-20T06:00:00Z"));
		assertThat(times.nextAfter(LocalDate.parse("2026-11-20"))).isEqualTo("2026-11-21");
	}

	@Test
	void leavesOutDaysOnWhichNobodyWasThere() {
		DigestTimes times = times("09:00", "Europe/Paris", Instant.parse("2026-11-20T12:00:00Z"));
		assertThat(times.nextAfter(LocalDate.parse("2026-11-10"))).isEqualTo("2026-11-21");
	}

	private static DigestTimes times(String at, String zone, Instant now) {
		SampleProperties properties = new SampleProperties(Duration.ofSeconds(30),
				new SampleProperties.Coupon(Period.ofDays(3)), new SampleProperties.Notification(Duration.ofSeconds(5)),
				new SampleProperties.Booking(Duration.ofMinutes(30), Duration.ofSeconds(10)),
				new SampleProperties.Digest(LocalTime.parse(at), ZoneId.of(zone)),
				new SampleProperties.Redis(Path.of("unused"), 0));
		return new DigestTimes(properties, Clock.fixed(now, ZoneOffset.UTC));
	}

}
