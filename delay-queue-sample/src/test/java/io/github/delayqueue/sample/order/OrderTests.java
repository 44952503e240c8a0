package io.github.delayqueue.sample.order;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Order}.
 */
class OrderTests {

	private static final Instant CLOSES_AT = Instant.parse("2026-11-20T10:00:00Z");

	private static final Instant NOW = Instant.parse("2026-11-20T10:00:01Z");

	private final Order open = Order.open("order-1", "book", CLOSES_AT);

	@Test
	void isPaidIfOpen() {
		assertThat(this.open.paid(NOW)).isEqualTo(new Order("order-1", "book", Order.Status.PAID, CLOSES_AT, NOW));
	}

	@Test
	void isCancelledIfOpen() {
		assertThat(this.open.cancelled(NOW))
			.isEqualTo(new Order("order-1", "book", Order.Status.CANCELLED, CLOSES_AT, NOW));
	}

	@Test
	void staysPaidWhateverComesAfter() {
		Order paid = this.open.paid(NOW);
		assertThat(paid.cancelled(NOW.plusSeconds(1))).isSameAs(paid);
		assertThat(paid.paid(NOW.plusSeconds(1))).isSameAs(paid);
	}

	@Test
	void staysCancelledWhateverComesAfter() {
		Order cancelled = this.open.cancelled(NOW);
		assertThat(cancelled.paid(NOW.plusSeconds(1))).isSameAs(cancelled);
		assertThat(cancelled.cancelled(NOW.plusSeconds(1))).isSameAs(cancelled);
	}

}
