package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.ClaimedRecord;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Held}.
 */
class HeldTests {

	private static final Instant DUE_AT = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration TTR = Duration.ofSeconds(30);

	private final long sentAt = System.nanoTime();

	@Test
	void isNotLateWhereTheClockOfTheStoreShowsLessThanTheDueTime() {
		assertThat(held(true, DUE_AT.minusSeconds(60)).lateness()).isZero();
	}

	@Test
	void isLateByTheTimeSinceItWasDueLocalTimeIncluded() {
		assertThat(held(true, DUE_AT.plusSeconds(60)).lateness()).isBetween(Duration.ofSeconds(60),
				Duration.ofSeconds(90));
	}

	@Test
	void isOverdueOnceTheTtrHasPassedSinceTheRequestWasSent() {
		Held held = held(true, DUE_AT);
		assertThat(held.isOverdue(this.sentAt + TTR.toNanos() - 1)).isFalse();
		assertThat(held.isOverdue(this.sentAt + TTR.toNanos())).isTrue();
	}

	@Test
	void leaseIsLostOnceItsOwnDeadlineHasPassedThoughNobodyHasSaidSo() {
		Held held = held(true, DUE_AT);
		assertThat(held.isLeaseLost(this.sentAt + TTR.toNanos() - 1)).isFalse();
		assertThat(held.isLeaseLost(this.sentAt + TTR.toNanos())).isTrue();
		held.extendedAt(this.sentAt + TTR.toNanos(), TTR);
		assertThat(held.isLeaseLost(this.sentAt + TTR.toNanos())).isFalse();
		held.loseLease();
		assertThat(held.isLeaseLost(this.sentAt + TTR.toNanos())).isTrue();
	}

	@Test
	void isExtendedAtAThirdOfTheTtr() {
		Held held = held(true, DUE_AT);
		assertThat(held.isExtensionDue(this.sentAt + TTR.toNanos() / 3 - 1)).isFalse();
		assertThat(held.isExtensionDue(this.sentAt + TTR.toNanos() / 3)).isTrue();
		held.stopRenewing();
		assertThat(held.isExtensionDue(this.sentAt + TTR.toNanos() / 3)).isFalse();
	}

	@Test
	void isNotExtendedOnceItsLeaseIsLost() {
		Held held = held(true, DUE_AT);
		held.loseLease();
		assertThat(held.isExtensionDue(this.sentAt + TTR.toNanos())).isFalse();
	}

	@Test
	void isExtendedOnceForAnotherTtrAlsoWithoutRenewal() {
		Held held = held(false, DUE_AT);
		assertThat(held.isExtensionDue(this.sentAt + TTR.toNanos())).isFalse();
		held.changeTtr(Duration.ofSeconds(60));
		long now = System.nanoTime();
		assertThat(held.isExtensionDue(now)).isTrue();
		held.extendedAt(now, held.ttr());
		assertThat(held.isOverdue(now + Duration.ofSeconds(59).toNanos())).isFalse();
		assertThat(held.isExtensionDue(now + Duration.ofSeconds(60).toNanos())).isFalse();
	}

	private Held held(boolean renewed, Instant now) {
		ClaimedRecord record = new ClaimedRecord("task", new byte[0], TaskPriority.NORMAL, DUE_AT, 0, 0, false);
		return new Held("orders", record, "token", new StoreTime(now, this.sentAt), this.sentAt, TTR, renewed);
	}

}
