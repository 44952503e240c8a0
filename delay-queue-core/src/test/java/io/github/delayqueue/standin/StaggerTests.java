package io.github.delayqueue.standin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Stagger}, with a clock that the test turns.
 */
class StaggerTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final Stagger stagger = new Stagger(() -> 1);

	private Instant now = START;

	@Test
	void comesLaterAfterLosingOneRaceAfterTheOther() {
		loseRaces(Stagger.LOSSES - 1);
		assertThat(isStandIn()).isFalse();
		loseRaces(3);
		assertThat(isStandIn()).isTrue();
		assertThat(claim(millis(1))).isEqualTo(Stagger.MAX);
	}

	@Test
	void staysOnTimeAsLongAsItWinsAsManyRacesAsItLoses() {
		for (int i = 0; i < 200; i++) {
			loseRaces(1);
			claim(millis(1), task(0));
			advance(1);
		}
		assertThat(isStandIn()).isFalse();
	}

	@Test
	void takesNothingForALostRaceBeforeSomethingIsDue() {
		claim(millis(5));
		for (int i = 0; i < 100; i++) {
			claim(millis(5));
			advance(1);
		}
		assertThat(isStandIn()).isFalse();
	}

	@Test
	void takesNothingForALostRaceThatItCameToAMicrosecondEarly() {
		for (int i = 0; i < 100; i++) {
			claim(millis(1));
			this.now = this.now.plusNanos(999_000);
			claim(Duration.ofNanos(1000));
			this.now = this.now.plusNanos(1000);
			claim(millis(1), task(0));
		}
		assertThat(isStandIn()).isFalse();
	}

	@Test
	void countsARaceOnceThoughTheStoresClockGoesBack() {
		for (int i = 0; i < Stagger.LOSSES - 1; i++) {
			this.stagger.woken(Duration.ZERO, this.now);
			claim(null);
			advance(-60_000);
		}
		assertThat(isStandIn()).isFalse();
	}

	@Test
	void takesNothingForALostRaceThatWasNoneOrWasNotRun() {
		for (int i = 0; i < 100; i++) {
			claim(null);
			advance(1);
			claim(Duration.ZERO);
			advance(1);
			this.stagger.woken(Duration.ZERO, this.now);
			this.stagger.skipped();
			claim(null);
			this.stagger.woken(Duration.ZERO, this.now);
			this.stagger.claimed(result(null, true));
		}
		assertThat(isStandIn()).isFalse();
	}

	@Test
	void losesRacesThatWakeMessagesStart() {
		for (int i = 0; i < 2 * Stagger.LOSSES; i++) {
			this.stagger.woken(Duration.ZERO, this.now);
			claim(null);
			advance(1);
		}
		assertThat(isStandIn()).isTrue();
		assertThat(this.stagger.woken(millis(3), this.now)).isEqualTo(millis(3).plus(Stagger.MAX));
	}

	@Test
	void isOnTimeAgainAtOnceWhenATaskWasLeftToIt() {
		loseRaces(50);
		advance(25);
		assertThat(claim(millis(1), task(25))).isZero();
		assertThat(isStandIn()).isFalse();
	}

	@Test
	void isOnTimeAgainAtOnceWhereMoreIsDueThanIsTaken() {
		loseRaces(50);
		claim(Duration.ZERO, task(0));
		assertThat(isStandIn()).isFalse();
	}

	@Test
	void staysAStandInWhereItHappensToComeFirst() {
		loseRaces(50);
		claim(millis(1), task(1));
		assertThat(isStandIn()).isTrue();
		claim(millis(1), new ClaimedRecord("task", new byte[0], TaskPriority.NORMAL, this.now.minusSeconds(60), 0, 1,
				true, null));
		assertThat(isStandIn()).isTrue();
	}

	/** A message about what comes later than all else says it, and changes nothing. */
	private boolean isStandIn() {
		Duration late = Duration.ofDays(1);
		return this.stagger.woken(late, this.now).compareTo(late) > 0;
	}

	private void loseRaces(int races) {
		this.stagger.woken(Duration.ZERO, this.now);
		for (int i = 0; i < races; i++) {
			claim(millis(1));
			advance(1);
		}
	}

	private Duration claim(@Nullable Duration wakeIn, ClaimedRecord... tasks) {
		return this.stagger.claimed(result(wakeIn, false, tasks));
	}

	private ClaimResult result(@Nullable Duration wakeIn, boolean paused, ClaimedRecord... tasks) {
		return new ClaimResult(List.of(tasks), this.now, wakeIn, paused, ClaimNotes.NONE);
	}

	private ClaimedRecord task(int lateMillis) {
		return new ClaimedRecord("task", new byte[0], TaskPriority.NORMAL, this.now.minusMillis(lateMillis), 0, 0,
				false, null);
	}

	private static Duration millis(long millis) {
		return Duration.ofMillis(millis);
	}

	private void advance(long millis) {
		this.now = this.now.plusMillis(millis);
	}

}
