package io.github.delayqueue.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Timeline}.
 */
class TimelineTests {

	private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

	private final Timeline timeline = new Timeline(START, 1);

	private final List<String> happened = new ArrayList<>();

	private void note(String what) {
		this.happened.add(Duration.between(START, this.timeline.instant()).toSeconds() + " " + what);
	}

	@Test
	void clockJumpsFromOneStepToTheNext() {
		this.timeline.after(Duration.ofDays(2), null, this.timeline::stop);
		this.timeline.after(Duration.ofDays(1), null, () -> note("second"));
		this.timeline.after(Duration.ofSeconds(1), null, () -> note("first"));
		this.timeline.after(Duration.ofSeconds(1), null, () -> note("cancelled")).cancel(false);
		this.timeline.run();
		assertThat(this.happened).containsExactly("1 first", "86400 second");
	}

	@Test
	void thoseWhoWaitOverlapInAnyWay() {
		this.timeline.start(Duration.ZERO, null, () -> waitFor("long", 10));
		this.timeline.start(Duration.ofSeconds(1), null, () -> waitFor("short", 2));
		this.timeline.start(Duration.ofSeconds(2), null, () -> waitFor("longest", 20));
		this.timeline.after(Duration.ofSeconds(5), null, () -> note("beside"));
		this.timeline.after(Duration.ofSeconds(30), null, this.timeline::stop);
		this.timeline.run();
		assertThat(this.happened).containsExactly("3 short", "5 beside", "10 long", "22 longest");
	}

	private void waitFor(String what, int seconds) {
		this.timeline.sleep(Duration.ofSeconds(seconds));
		note(what);
	}

	@Test
	void whoWaitsCanBeWokenBefore() {
		this.timeline.start(Duration.ZERO, null, () -> {
			Timeline.Strand strand = this.timeline.current();
			this.timeline.after(Duration.ofSeconds(3), null, () -> this.timeline.wake(strand, Duration.ofSeconds(1)));
			this.timeline.sleep(Duration.ofSeconds(10));
			note("woken");
			this.timeline.sleep(Duration.ofSeconds(10));
			note("waited");
			this.timeline.stop();
		});
		this.timeline.run();
		assertThat(this.happened).containsExactly("4 woken", "14 waited");
	}

	@Test
	void interruptIsSeenByWhoWasInterrupted() {
		this.timeline.start(Duration.ZERO, null, () -> {
			this.timeline.after(Duration.ofSeconds(1), null, this.timeline.current()::interrupt);
			this.timeline.start(Duration.ZERO, null, () -> {
				this.timeline.sleep(Duration.ofSeconds(8));
				note("other " + Thread.interrupted());
				this.timeline.stop();
			});
			this.timeline.sleep(Duration.ofSeconds(5));
			note("interrupted " + Thread.interrupted());
		});
		this.timeline.run();
		assertThat(this.happened).containsExactly("5 interrupted true", "8 other false");
	}

	@Test
	void nothingHappensInAProcessThatIsDead() {
		Instance instance = instance();
		this.timeline.start(Duration.ZERO, instance, () -> {
			try {
				this.timeline.sleep(Duration.ofSeconds(5));
				note("alive");
			}
			finally {
				note("unwound");
			}
		});
		this.timeline.after(Duration.ofSeconds(2), instance, () -> note("late"));
		this.timeline.after(Duration.ofSeconds(1), null, instance::die);
		this.timeline.after(Duration.ofSeconds(9), null, this.timeline::stop);
		this.timeline.run();
		assertThat(this.happened).containsExactly("1 unwound");
	}

	@Test
	void processThatIsPausedDoesLaterWhatItWouldHaveDone() {
		Instance instance = instance();
		this.timeline.start(Duration.ZERO, instance, () -> waitFor("waited", 2));
		this.timeline.after(Duration.ofSeconds(3), instance, () -> note("timer"));
		this.timeline.after(Duration.ofSeconds(1), null, () -> instance.pause(Duration.ofSeconds(6).toNanos()));
		this.timeline.after(Duration.ofSeconds(4), null, () -> note("other"));
		this.timeline.after(Duration.ofSeconds(9), null, this.timeline::stop);
		this.timeline.run();
		assertThat(this.happened).startsWith("4 other").contains("7 waited", "7 timer").hasSize(3);
	}

	@Test
	void stepThatFailsFailsTheRun() {
		this.timeline.after(Duration.ZERO, null, () -> {
			throw new IllegalArgumentException("for a test");
		});
		assertThatIllegalStateException().isThrownBy(this.timeline::run)
			.withCauseInstanceOf(IllegalArgumentException.class);
	}

	private Instance instance() {
		return new Instance("process", 1, this.timeline, new SimulationLog(false), new Random(1), false);
	}

}
