package io.github.delayqueue.sample.coupon;

import java.time.Instant;
import java.time.Period;
import java.time.ZonedDateTime;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Coupon}.
 */
class CouponTests {

	private static final Period THREE_DAYS = Period.ofDays(3);

	private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

	@Test
	void isRemindedOfThreeDaysBeforeItExpires() {
		assertThat(issue("2026-03-20T18:00:00+01:00[Europe/Paris]").remindAt()).isEqualTo("2026-03-17T17:00:00Z");
	}

	@Test
	void isRemindedOfAtSameTimeOfDayIfClocksChangeInBetween() {
		// From 29 March on, 18:00 in Paris is 16:00 UTC
		assertThat(issue("2026-03-31T18:00:00+02:00[Europe/Paris]").remindAt()).isEqualTo("2026-03-28T17:00:00Z");
	}

	@Test
	void isRemindedOfAtOnceIfItExpiresInLessThanThreeDays() {
		assertThat(issue("2026-03-02T18:00:00+01:00[Europe/Paris]").remindAt()).isEqualTo(NOW);
	}

	@Test
	void isRemindedOfOnce() {
		Coupon reminded = issue("2026-03-20T18:00:00Z").reminded(NOW);
		assertThat(reminded.status()).isEqualTo(Coupon.Status.REMINDED);
		assertThat(reminded.remindedAt()).isEqualTo(NOW);
		assertThat(reminded.reminded(NOW.plusSeconds(1))).isSameAs(reminded);
	}

	private static Coupon issue(String expiresAt) {
		return Coupon.issue("coupon-1", "Ann", ZonedDateTime.parse(expiresAt), THREE_DAYS, NOW);
	}

}
