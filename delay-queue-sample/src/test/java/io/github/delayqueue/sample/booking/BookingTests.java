package io.github.delayqueue.sample.booking;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.sample.booking.Booking.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Booking}.
 */
class BookingTests {

	private static final Instant NOW = Instant.parse("2026-11-20T18:55:00Z");

	private static final Instant FOLLOW_UP_AT = NOW.plusSeconds(10);

	private final Booking booked = Booking.of("booking-1", "555", ZonedDateTime.parse("2026-11-20T20:00:00+01:00"),
			ZonedDateTime.parse("2026-11-20T22:00:00+01:00"), Duration.ofMinutes(30), Duration.ofSeconds(10));

	@Test
	void hasThreeTasks() {
		assertThat(this.booked.reminder()).isEqualTo(Step.waiting(Instant.parse("2026-11-20T18:30:00Z")));
		assertThat(this.booked.noShowCheck()).isEqualTo(Step.waiting(Instant.parse("2026-11-20T21:00:00Z")));
		assertThat(this.booked.followUp()).isEqualTo(Step.waiting(Instant.parse("2026-11-20T21:00:10Z")));
	}

	@Test
	void isOnlyFollowedUpAfterNumberIsTaken() {
		Booking taken = this.booked.numberTaken(7, NOW, FOLLOW_UP_AT);
		assertThat(taken.status()).isEqualTo(Booking.Status.NUMBER_TAKEN);
		assertThat(taken.number()).isEqualTo(7);
		assertThat(taken.reminder().status()).isEqualTo(Step.Status.CANCELLED);
		assertThat(taken.noShowCheck().status()).isEqualTo(Step.Status.CANCELLED);
		assertThat(taken.followUp()).isEqualTo(Step.waiting(FOLLOW_UP_AT));
		assertThat(taken.reminded(NOW)).isSameAs(taken);
		assertThat(taken.noShow(NOW)).isSameAs(taken);
		assertThat(taken.followedUp(FOLLOW_UP_AT).followUp())
			.isEqualTo(new Step(Step.Status.DONE, FOLLOW_UP_AT, FOLLOW_UP_AT));
	}

	@Test
	void keepsNumberIfTakenAgain() {
		Booking taken = this.booked.numberTaken(7, NOW, FOLLOW_UP_AT);
		assertThat(taken.numberTaken(8, NOW.plusSeconds(1), FOLLOW_UP_AT.plusSeconds(1))).isSameAs(taken);
	}

	@Test
	void keepsReminderThatWasDoneWhenNumberIsTaken() {
		Booking taken = this.booked.reminded(NOW).numberTaken(7, NOW.plusSeconds(1), FOLLOW_UP_AT);
		assertThat(taken.reminder().status()).isEqualTo(Step.Status.DONE);
		assertThat(taken.reminder().at()).isEqualTo(NOW);
	}

	@Test
	void isNotFollowedUpIfNobodyCame() {
		Booking noShow = this.booked.reminded(NOW).noShow(NOW);
		assertThat(noShow.status()).isEqualTo(Booking.Status.NO_SHOW);
		assertThat(noShow.followUp().status()).isEqualTo(Step.Status.CANCELLED);
		assertThat(noShow.followedUp(NOW)).isSameAs(noShow);
		assertThat(noShow.numberTaken(7, NOW, FOLLOW_UP_AT)).isSameAs(noShow);
	}

	@Test
	void isNotFollowedUpBeforeNumberIsTaken() {
		assertThat(this.booked.followedUp(NOW)).isSameAs(this.booked);
	}

}
