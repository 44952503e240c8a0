package io.github.delayqueue.sample.digest;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;

import org.springframework.stereotype.Component;

import io.github.delayqueue.sample.SampleProperties;

/**
 * Tells when digests are due: every day at the same time on the clocks of a time zone,
 * which is 23 or 25 hours after the one before when those are changed.
 */
@Component
class DigestTimes {

	private final SampleProperties.Digest properties;

	private final Clock clock;

	DigestTimes(SampleProperties properties, Clock clock) {
		this.properties = properties.digest();
		this.clock = clock;
	}

	/**
	 * When the digest of a day is due. Where the clocks leap over that time, as much
	 * later as they leap.
	 * @param date the day
	 * @return the instant
	 */
	Instant dueAt(LocalDate date) {
		return date.atTime(this.properties.at()).atZone(this.properties.zone()).toInstant();
	}

	/**
	 * The day of the next digest: today, if its time has not come yet, else tomorrow.
	 * @return the day
	 */
	LocalDate next() {
		Instant now = this.clock.instant();
		LocalDate today = LocalDate.ofInstant(now, this.properties.zone());
		return dueAt(today).isAfter(now) ? today : today.plusDays(1);
	}

	/**
	 * The day of the digest after another one. Days on which nobody was there to write
	 * one are left out.
	 * @param date the day of the other one
	 * @return the day
	 */
	LocalDate nextAfter(LocalDate date) {
		LocalDate next = next();
		return next.isAfter(date) ? next : date.plusDays(1);
	}

}
