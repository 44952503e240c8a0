package io.github.delayqueue.listener;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link RoundTrips}.
 */
class RoundTripsTests {

	private final RoundTrips roundTrips = new RoundTrips();

	@Test
	void takesAnAnswerThatCameQuicklyForTheMeasure() {
		this.roundTrips.add(1000, 1300, true);
		assertThat(this.roundTrips.add(2000, 2100, true)).isEqualTo(2000);
		assertThat(this.roundTrips.add(3000, 3300, true)).isEqualTo(3200);
	}

	@Test
	void doesNotTakeACallThatWasHeldUpForALongWay() {
		this.roundTrips.add(1000, 1160, true);
		assertThat(this.roundTrips.add(2000, 1_000_002_000, true)).isEqualTo(1_000_002_000 - 160);
		assertThat(this.roundTrips.add(3000, 3170, true)).isEqualTo(3000);
		assertThat(this.roundTrips.add(4000, 4300, true)).isEqualTo(4130);
	}

	@Test
	void followsANetworkThatBecomesSlower() {
		assertThat(afterSlowCalls(true)).isBetween(0L, 10_000L);
	}

	@Test
	void doesNotFollowAnswersThatWereHeldUpOnPurpose() {
		assertThat(afterSlowCalls(false)).isEqualTo(900_000);
	}

	private long afterSlowCalls(boolean brief) {
		this.roundTrips.add(0, 100_000, true);
		long from = 0;
		for (int i = 0; i < 200; i++) {
			from = this.roundTrips.add(0, 1_000_000, brief);
		}
		return from;
	}

	@Test
	void knowsNumbersBeyondTheEndOfAll() {
		long sentAt = Long.MAX_VALUE - 100;
		assertThat(this.roundTrips.add(sentAt, sentAt + 300, true)).isEqualTo(sentAt);
	}

}
