package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DatabaseClock}.
 */
class DatabaseClockTests {

	private static final Duration MILLISECOND = Duration.ofMillis(1);

	/** What there is in truth, by which everything else is set. */
	private final MutableClock truth = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private Duration machineAhead = Duration.ofHours(-1);

	private Duration databaseAhead = Duration.ZERO;

	/** How long a connection is waited for. */
	private Duration connecting = Duration.ZERO;

	private Duration question = MILLISECOND;

	private Duration answer = MILLISECOND;

	private int asked;

	private final InstantSource machine = () -> this.truth.instant().plus(this.machineAhead);

	private final DatabaseClock clock = new DatabaseClock(this::database,
			() -> ChronoUnit.NANOS.between(Instant.parse("2027-01-01T00:00:00Z"), this.truth.instant()), this.machine);

	private long database(Runnable asking) {
		this.asked++;
		this.truth.advance(this.connecting);
		asking.run();
		this.truth.advance(this.question);
		long shown = ChronoUnit.MICROS.between(Instant.EPOCH, shown());
		this.truth.advance(this.answer);
		return shown;
	}

	private Instant shown() {
		return this.truth.instant().plus(this.databaseAhead);
	}

	@Test
	void timeOfTheDatabaseIsBetweenTheBoundsWhateverTheClockOfTheMachineShows() {
		this.clock.ask();
		assertKnownWithin(Duration.ofMillis(3));
		this.truth.advance(Duration.ofSeconds(4));
		this.machineAhead = Duration.ofMinutes(5);
		assertKnownWithin(Duration.ofMillis(7));
	}

	@Test
	void waitForAConnectionMakesItNoLessExact() {
		this.connecting = Duration.ofSeconds(4);
		this.clock.ask();
		assertKnownWithin(Duration.ofMillis(3));
	}

	@Test
	void slowAnswerDoesNotMakeWhatIsKnownLessExact() {
		this.clock.ask();
		this.answer = Duration.ofMillis(700);
		this.clock.ask();
		assertKnownWithin(Duration.ofMillis(4));
	}

	@Test
	void boundsAreDrawnCloserByEachAnswer() {
		this.question = Duration.ofMillis(200);
		this.answer = Duration.ZERO;
		this.clock.ask();
		this.question = Duration.ZERO;
		this.answer = Duration.ofMillis(200);
		this.clock.ask();
		assertKnownWithin(MILLISECOND);
	}

	@Test
	void clockOfTheDatabaseThatIsSetIsFollowed() {
		this.clock.ask();
		this.databaseAhead = Duration.ofMinutes(-3);
		this.clock.ask();
		assertKnownWithin(Duration.ofMillis(3));
		this.databaseAhead = Duration.ofMinutes(3);
		this.clock.ask();
		assertKnownWithin(Duration.ofMillis(3));
	}

	@Test
	void oneOfThoseWhoWantToKnowAsksOnceASecond() {
		assertThat(this.clock.isToBeAsked()).as("nothing is known").isTrue();
		assertThat(this.clock.isToBeAsked()).as("nothing is known").isTrue();
		this.clock.ask();
		this.truth.advance(DatabaseClock.INTERVAL.minus(MILLISECOND));
		assertThat(this.clock.isToBeAsked()).isFalse();
		this.truth.advance(MILLISECOND);
		assertThat(this.clock.isToBeAsked()).isTrue();
		assertThat(this.clock.isToBeAsked()).as("somebody does so").isFalse();
		this.clock.ask();
		this.truth.advance(DatabaseClock.INTERVAL);
		assertThat(this.clock.isToBeAsked()).isTrue();
		assertThat(this.asked).isEqualTo(2);
	}

	@Test
	void everybodyAsksWhenTheAnswerIsTooOld() {
		this.clock.ask();
		this.truth.advance(DatabaseClock.RELIED_ON.plus(MILLISECOND));
		assertThat(this.clock.isToBeAsked()).isTrue();
		assertThat(this.clock.isToBeAsked()).isTrue();
	}

	/** As is one of a virtual machine that stood still: nothing was measured then. */
	@Test
	void everybodyAsksWhenTheClockOfTheMachineWasSet() {
		this.clock.ask();
		this.machineAhead = this.machineAhead.plus(DatabaseClock.JUMP).plus(MILLISECOND);
		assertThat(this.clock.isToBeAsked()).isTrue();
		assertThat(this.clock.isToBeAsked()).isTrue();
		this.clock.ask();
		assertThat(this.clock.isToBeAsked()).isFalse();
	}

	private void assertKnownWithin(Duration width) {
		assertThat(this.clock.earliest()).isBeforeOrEqualTo(shown());
		assertThat(this.clock.instant()).isAfterOrEqualTo(shown());
		assertThat(Duration.between(this.clock.earliest(), this.clock.instant())).isLessThan(width);
	}

}
