package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link ClaimLoop}, with timers that fire when the test says so.
 */
class ClaimLoopTests {

	private static final Duration POLL = Duration.ofSeconds(1);

	private final ManualTimer timer = new ManualTimer();

	private final ClaimLoop loop = new ClaimLoop("test", this::claim, () -> false, this.timer, System::nanoTime, POLL,
			() -> 1);

	private int claims;

	private Duration next = POLL;

	private Runnable meanwhile = () -> {
	};

	@Test
	void neverWaitsLongerThanThePollInterval() {
		this.next = Duration.ofDays(1_000_000);
		this.loop.start();
		long before = System.nanoTime();
		this.timer.last().fire();
		assertThatTimerIsBetween(before, Duration.ofMillis(500), POLL);
		this.loop.wake(Duration.ofDays(1_000_000));
		assertThat(this.timer.armed()).isEqualTo(1);
	}

	@Test
	void pollsAboutOnceInThePollIntervalWhenIdleAndLoopsThatBeganTogetherSpread() {
		int polls = 1000;
		long[] now = new long[1];
		Random random = new Random(1);
		ManualTimer timer = new ManualTimer();
		ClaimLoop idle = new ClaimLoop("idle", () -> POLL, () -> false, timer, () -> now[0], POLL, random::nextDouble);
		idle.start();
		timer.last().fire();
		long began = now[0];
		Set<Long> waits = new HashSet<>();
		for (int i = 0; i < polls; i++) {
			long wait = timer.last().delay().toNanos();
			waits.add(Math.round(wait * 10.0 / POLL.toNanos()));
			// a timer fires a little late
			now[0] += wait + Duration.ofNanos(80_000).toNanos();
			timer.last().fire();
		}
		assertThat((now[0] - began) / polls).isBetween(POLL.toNanos() * 98 / 100, POLL.toNanos());
		assertThat(waits).contains(9L, 10L);
	}

	@Test
	void pollsFallOnInstantsThatOtherLoopsShare() {
		long tick = POLL.toNanos() / 10;
		this.loop.start();
		long before = System.nanoTime();
		this.timer.last().fire();
		long after = System.nanoTime();
		long delay = this.timer.last().delay().toNanos();
		assertThat(Math.floorDiv(after + delay, tick) * tick).isGreaterThanOrEqualTo(before + delay);
	}

	@Test
	void claimsEarlierWhenItIsWokenAndKeepsOneTimer() {
		ClaimLoop standing = standing();
		standing.start();
		this.timer.last().fire();
		standing.wake(Duration.ofMillis(500));
		assertThat(this.timer.armed()).isEqualTo(1);
		assertThat(this.timer.last().delay()).isEqualTo(Duration.ofMillis(500));
		standing.wake(Duration.ofMillis(700));
		assertThat(this.timer.armed()).isEqualTo(1);
		assertThat(this.timer.last().delay()).isEqualTo(Duration.ofMillis(500));
	}

	@Test
	void claimsAgainWhenItIsWokenDuringAClaim() {
		this.meanwhile = () -> this.loop.wake(Duration.ZERO);
		this.loop.start();
		this.timer.last().fire();
		assertThat(this.timer.armed()).isEqualTo(1);
		assertThat(this.timer.last().delay()).isLessThanOrEqualTo(Duration.ZERO);
	}

	@Test
	void goesOnWithGrowingDelaysWhateverAClaimThrows() {
		this.meanwhile = () -> {
			throw new StackOverflowError("for a test");
		};
		this.loop.start();
		Duration[] atLeast = { Duration.ofMillis(50), Duration.ofMillis(150), Duration.ofMillis(350),
				Duration.ofMillis(700), Duration.ofMillis(850), Duration.ofMillis(850) };
		for (Duration least : atLeast) {
			long before = System.nanoTime();
			this.timer.last().fire();
			assertThat(this.timer.armed()).isEqualTo(1);
			assertThatTimerIsBetween(before, least, POLL);
		}
	}

	@Test
	void doesNotAskAgainAtOnceAfterAFailureThoughItIsWoken() {
		this.meanwhile = () -> {
			this.loop.wake(Duration.ZERO);
			throw new IllegalStateException("for a test");
		};
		this.loop.start();
		long before = System.nanoTime();
		this.timer.last().fire();
		assertThat(this.timer.last().after(before)).isGreaterThan(Duration.ofMillis(50));
	}

	@Test
	void keepsOneTimerWhenACancelledOneFiresNevertheless() {
		ClaimLoop standing = standing();
		standing.start();
		this.timer.last().fire();
		ManualTimer.Timer cancelled = this.timer.last();
		standing.wake(Duration.ZERO);
		cancelled.fire();
		assertThat(this.claims).isEqualTo(1);
		this.timer.last().fire();
		assertThat(this.claims).isEqualTo(2);
		assertThat(this.timer.armed()).isEqualTo(1);
	}

	@Test
	void doesNotClaimWhenATimerOfBeforeTheStopFires() {
		this.loop.start();
		ManualTimer.Timer before = this.timer.last();
		this.loop.stop();
		before.fire();
		assertThat(this.claims).isZero();
		this.loop.start();
		before.fire();
		assertThat(this.claims).isZero();
		assertThat(this.timer.armed()).isEqualTo(1);
	}

	@Test
	void goesOnWhenItIsStoppedAndStartedDuringAClaim() {
		this.meanwhile = () -> {
			this.loop.stop();
			this.loop.start();
		};
		this.loop.start();
		this.timer.last().fire();
		assertThat(this.timer.armed()).isEqualTo(1);
		assertThat(this.timer.last().delay()).isLessThanOrEqualTo(Duration.ZERO);
		this.timer.last().fire();
		assertThat(this.claims).isEqualTo(2);
	}

	@Test
	void endsWhenItIsStoppedDuringAClaim() {
		this.meanwhile = this.loop::stop;
		this.loop.start();
		this.timer.last().fire();
		assertThat(this.timer.armed()).isZero();
		assertThat(this.loop.isIdle()).isTrue();
	}

	@Test
	void goesOnWhenItIsStartedAgainAfterItsTimersWereRejected() {
		this.loop.start();
		this.timer.reject(true);
		this.timer.last().fire();
		assertThat(this.timer.armed()).isZero();
		this.timer.reject(false);
		this.loop.wake(Duration.ZERO);
		assertThat(this.timer.armed()).isEqualTo(1);
	}

	/** A loop for which no time passes: the next poll is never earlier than a wake. */
	private ClaimLoop standing() {
		return new ClaimLoop("test", this::claim, () -> false, this.timer, () -> 0, POLL, () -> 1);
	}

	/** However long it took to arm the timer, which is told after what time to fire. */
	private void assertThatTimerIsBetween(long since, Duration least, Duration most) {
		assertThat(this.timer.last().after(since)).isGreaterThanOrEqualTo(least);
		assertThat(this.timer.last().delay()).isLessThanOrEqualTo(most);
	}

	private Duration claim() {
		this.claims++;
		this.meanwhile.run();
		return this.next;
	}

}
