package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.Settlement;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link HeldTask}.
 */
class HeldTaskTests {

	private static final Instant DUE_AT = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration LEASE_DURATION = HeldTasks.LEASE_DURATION;

	private final AtomicLong time = new AtomicLong(42);

	private final long sentAt = this.time.get();

	@Test
	void isNotLateWhereTheClockOfTheStoreShowsLessThanTheDueTime() {
		assertThat(held(true, DUE_AT.minusSeconds(60)).lateness()).isZero();
	}

	@Test
	void isLateByTheTimeSinceItWasDueLocalTimeIncluded() {
		HeldTask held = held(true, DUE_AT.plusSeconds(60));
		this.time.addAndGet(Duration.ofSeconds(7).toNanos());
		assertThat(held.lateness()).isEqualTo(Duration.ofSeconds(67));
	}

	@ParameterizedTest
	@CsvSource({ "PT-1S, false", "PT1S, false", "PT1.000001S, true" })
	void settlementSaysWhetherItsHandlerBeganMoreThanASecondLateAndWhatItTook(Duration lateness, boolean late) {
		HeldTask held = held(true, DUE_AT.plus(lateness));
		held.started();
		this.time.addAndGet(Duration.ofMinutes(1).toNanos());
		held.endWith(held.complete(Duration.ZERO), Duration.ofMinutes(1), Duration.ofSeconds(20));
		assertThat(held.settlement()).returns(late, Settlement::late)
			.returns(Duration.ofSeconds(20), Settlement::handling);
	}

	@Test
	void isOverdueOnceTheLeaseDurationHasPassedSinceTheRequestWasSent() {
		HeldTask held = held(true, DUE_AT);
		assertThat(held.isOverdue(this.sentAt + LEASE_DURATION.toNanos() - 1)).isFalse();
		assertThat(held.isOverdue(this.sentAt + LEASE_DURATION.toNanos())).isTrue();
	}

	@Test
	void leaseIsLostOnceItsOwnDeadlineHasPassedThoughNobodyHasSaidSo() {
		HeldTask held = held(true, DUE_AT);
		assertThat(held.isLeaseLost(this.sentAt + LEASE_DURATION.toNanos() - 1)).isFalse();
		assertThat(held.isLeaseLost(this.sentAt + LEASE_DURATION.toNanos())).isTrue();
		held.extendedAt(this.sentAt + LEASE_DURATION.toNanos(), LEASE_DURATION);
		assertThat(held.isLeaseLost(this.sentAt + LEASE_DURATION.toNanos())).isFalse();
		held.loseLease();
		assertThat(held.isLeaseLost(this.sentAt + LEASE_DURATION.toNanos())).isTrue();
	}

	@Test
	void isExtendedAtAThirdOfTheLeaseDuration() {
		HeldTask held = held(true, DUE_AT);
		assertThat(held.isExtensionDue(this.sentAt + LEASE_DURATION.toNanos() / 3 - 1)).isFalse();
		assertThat(held.isExtensionDue(this.sentAt + LEASE_DURATION.toNanos() / 3)).isTrue();
		held.stopRenewing();
		assertThat(held.isExtensionDue(this.sentAt + LEASE_DURATION.toNanos() / 3)).isFalse();
	}

	@Test
	void isNotExtendedOnceItsLeaseIsLost() {
		HeldTask held = held(true, DUE_AT);
		held.loseLease();
		assertThat(held.isExtensionDue(this.sentAt + LEASE_DURATION.toNanos())).isFalse();
	}

	@Test
	void isExtendedOnceForAnotherLeaseDurationAlsoWithoutRenewal() {
		HeldTask held = held(false, DUE_AT);
		assertThat(held.isExtensionDue(this.sentAt + LEASE_DURATION.toNanos())).isFalse();
		held.changeLeaseDuration(Duration.ofSeconds(60));
		long now = this.time.get();
		assertThat(held.isExtensionDue(now)).isTrue();
		held.extendedAt(now, held.extension(now));
		assertThat(held.isOverdue(now + Duration.ofSeconds(59).toNanos())).isFalse();
		assertThat(held.isExtensionDue(now + Duration.ofSeconds(60).toNanos())).isFalse();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void earlierEndCountsOfTwoExtensionsThatWereUnderWayTogether(boolean handlerFirst) {
		HeldTask held = held(true, DUE_AT);
		Duration shorter = LEASE_DURATION.dividedBy(6);
		long sentAt = this.time.addAndGet(LEASE_DURATION.toNanos() / 2);
		this.time.incrementAndGet();
		if (handlerFirst) {
			held.extendedByItsHandler(sentAt, shorter);
			held.extendedAt(sentAt, held.extension(sentAt));
		}
		else {
			held.extendedAt(sentAt, held.extension(sentAt));
			held.extendedByItsHandler(sentAt, shorter);
		}
		assertThat(held.isOverdue(sentAt + shorter.toNanos())).isTrue();
		long now = this.time.get();
		assertThat(held.isExtensionDue(now)).isTrue();
		held.extendedAt(now, held.extension(now));
		assertThat(held.isOverdue(now + LEASE_DURATION.toNanos() - 1)).isFalse();
		assertThat(held.isExtensionDue(now + LEASE_DURATION.toNanos() / 3 - 1)).isFalse();
	}

	@Test
	void isCheckedAtOnceAndKeepsTheEndOfALeaseThatIsNotRenewed() {
		HeldTask held = held(false, DUE_AT);
		this.time.addAndGet(Duration.ofSeconds(20).toNanos());
		long now = this.time.get();
		held.check();
		assertThat(held.isExtensionDue(now)).isTrue();
		Duration left = held.extension(now);
		assertThat(left).isEqualTo(LEASE_DURATION.minusSeconds(20));
		held.extendedAt(now, left);
		assertThat(held.isExtensionDue(this.sentAt + LEASE_DURATION.toNanos() - 1)).isFalse();
		assertThat(held.isOverdue(this.sentAt + LEASE_DURATION.toNanos() - 1)).isFalse();
		assertThat(held.isOverdue(this.sentAt + LEASE_DURATION.toNanos())).isTrue();
		held.check();
		assertThat(held.isExtensionDue(this.sentAt + LEASE_DURATION.toNanos())).as("its lease has run out").isFalse();
	}

	@Test
	void isCheckedAgainIfSomethingWasWithdrawnWhileTheAnswerWasOnItsWay() {
		HeldTask held = held(true, DUE_AT);
		held.check();
		long now = this.time.get();
		assertThat(held.extension(now)).isEqualTo(LEASE_DURATION);
		held.check();
		held.extendedAt(now, LEASE_DURATION);
		assertThat(held.isExtensionDue(now)).isTrue();
		held.extendedAt(now, held.extension(now));
		assertThat(held.isExtensionDue(now)).isFalse();
	}

	@Test
	void takesTheLeaseDurationThatItsTaskBringsWhileACheckIsUnderWay() {
		HeldTask held = held(false, DUE_AT);
		held.check();
		long now = this.time.get();
		Duration left = held.extension(now);
		held.changeLeaseDuration(Duration.ofSeconds(5));
		held.extendedAt(now, left);
		assertThat(held.isExtensionDue(now)).isTrue();
		assertThat(held.extension(now)).isEqualTo(Duration.ofSeconds(5));
		held.extendedAt(now, Duration.ofSeconds(5));
		assertThat(held.isExtensionDue(now)).isFalse();
	}

	@Test
	void isNotMadeShorterByACheckThanItsHandlerHasMadeIt() {
		HeldTask held = held(true, DUE_AT);
		long now = this.time.get();
		held.changeLeaseDuration(Duration.ofSeconds(5));
		held.extendedByItsHandler(now, Duration.ofMinutes(5));
		assertThat(held.extension(now)).isEqualTo(Duration.ofMinutes(5));
		held.check();
		assertThat(held.extension(now)).isEqualTo(Duration.ofMinutes(5));
	}

	@Test
	void isCheckedLaterIfThatFailed() {
		HeldTask held = held(false, DUE_AT);
		held.check();
		long now = this.time.get();
		held.extension(now);
		held.tryAgainAt(now + 100);
		assertThat(held.isExtensionDue(now + 99)).isFalse();
		assertThat(held.isExtensionDue(now + 100)).isTrue();
	}

	@Test
	void isNotCancelledByItsOwnHandlerWhichHasScheduledItsIdAnew() {
		HeldTask held = held(true, DUE_AT);
		assertThat(held.isCancelled()).isFalse();
		held.loseLease();
		assertThat(held.isCancelled()).isTrue();
		held.replacedByItsHandler();
		assertThat(held.isCancelled()).isFalse();
	}

	@Test
	void othersAreToldOfItsEndAlthoughThatCannotBeReported() {
		HeldTask held = held(true, DUE_AT);
		List<Boolean> told = new ArrayList<>();
		held.whenSettled(told::add);
		held.reportWhenSettled((applied) -> {
			throw new IllegalStateException("the log is closed");
		});
		held.endWith(held.complete(Duration.ZERO), Duration.ZERO, Duration.ZERO);
		held.settled(true);
		assertThat(told).containsExactly(true);
	}

	private HeldTask held(boolean renewed, Instant now) {
		return new HeldTasks("orders", TaskEvents.NONE, HeldTasks.settlements("orders", new ManualThreads())::add, now,
				this.time::get)
			.task("task", DUE_AT, renewed);
	}

}
