package io.github.delayqueue.listener;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link RoundTrips}.
 */
class RoundTripsTests {

	private final RoundTrips roundTrips = new RoundTrips();

	@Test
	void startsFromWhereTheFirstCallWasSent() {
		assertThat(this.roundTrips.add(1000, 1300)).isEqualTo(1000);
	}

	@Test
	void takesAnAnswerThatCameQuicklyForTheMeasure() {
		this.roundTrips.add(1000, 1300);
		assertThat(this.roundTrips.add(2000, 2100)).isEqualTo(2000);
	}

	@Test
	void doesNotTakeACallThatWasHeldUpForALongWay() {
		this.roundTrips.add(1000, 1160);
		assertThat(this.roundTrips.add(2000, 2320)).isEqualTo(2320 - 170);
		assertThat(this.roundTrips.add(3000, 3170)).isEqualTo(3000);
	}

	@Test
	void followsANetworkThatBecomesSlower() {
		this.roundTrips.add(0, 100_000);
		long from = 0;
		for (int i = 0; i < 200; i++) {
			from = this.roundTrips.add(0, 1_000_000);
		}
		assertThat(from).isBetween(0L, 10_000L);
	}

	@Test
	void knowsNumbersBeyondTheEndOfAll() {
		long sentAt = Long.MAX_VALUE - 100;
		assertThat(this.roundTrips.add(sentAt, sentAt + 300)).isEqualTo(sentAt);
	}

}
