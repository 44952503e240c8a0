package io.github.delayqueue.sample.notification;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Notification}.
 */
class NotificationTests {

	private static final Instant DUE = Instant.parse("2026-11-20T10:00:00Z");

	private static final Instant NOW = DUE.plusMillis(3);

	private final Notification first = Notification.waiting("ann", "first", DUE);

	private final Notification second = Notification.waiting("ann", "second", DUE.plusSeconds(2));

	@Test
	void isNotTakenForSentIfItHasReplacedWhatWasDelivered() {
		assertThat(this.second.afterDelivery(this.first, NOW)).isSameAs(this.second);
	}

	@Test
	void isReplacedByLaterOneThatWasDeliveredBeforeItWasRecorded() {
		Notification latest = this.first.afterDelivery(this.second, NOW);
		assertThat(latest.text()).isEqualTo("second");
		assertThat(latest.status()).isEqualTo(Notification.Status.SENT);
	}

}
