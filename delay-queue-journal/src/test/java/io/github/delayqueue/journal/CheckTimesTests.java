package io.github.delayqueue.journal;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a loader looks at what is being written. Times are seconds from now on. What a
 * loader moves on is computed by the database: see {@link JournalLoaderContract}.
 */
class CheckTimesTests {

	private static final long NOW = 1_800_000_000_000L;

	private static final Duration HORIZON = Duration.ofHours(1);

	private final CheckTimes checks = new CheckTimes(HORIZON);

	@ParameterizedTest
	@CsvSource({ "-100000, 5", "-0.001, 5", "0, 5", "24.999, 5", "25, 5", "25.001, 5.001", "30, 10", "79.999, 59.999",
			"80, 60", "80.001, 60", "3599, 60", "3600, 60" })
	void writtenTaskIsLookedAtBeforeItIsDueOrFiveSecondsLater(double due, double check) {
		assertThat(this.checks.written(in(due), NOW, false)).isEqualTo(in(check));
	}

	@ParameterizedTest
	@CsvSource({ "3600.001, 0, false", "3600.001, 0.001, true", "3601, 1, false", "3601, 0.999, true",
			"86400, 82800, false", "86400, 82799.999, true" })
	void writtenTaskBeyondTheHorizonIsLookedAtWhenItComesWithinIt(double due, double check, boolean delayed) {
		long written = this.checks.written(in(due), NOW, delayed);
		assertThat(written).isEqualTo(CheckTimes.FAR + in(check));
		assertThat(CheckTimes.isInstant(written)).isNotEqualTo(delayed);
	}

	@ParameterizedTest
	@CsvSource({ "-100, -70", "0, 30", "25, 55", "3600, 3630", "3600.001, 3580.001", "86400, 86380" })
	void recurringTaskThatTheStoreHasIsLookedAtWhenItIsOverdue(double due, double check) {
		assertThat(this.checks.handedOver(in(due), NOW)).isEqualTo(in(check));
	}

	@ParameterizedTest
	@CsvSource({ "0, 3660", "10, 3660", "3600, 3660", "3601, 3661", "86400, 86460" })
	void latestCheckOfWhatTheStoreMayHaveIsAfterTheHorizonAndTheRarestOne(long horizon, double latest) {
		assertThat(new CheckTimes(Duration.ofSeconds(horizon)).latest(NOW)).isEqualTo(in(latest));
	}

	/** So that a reset after a loss finds it, and looks for nothing that is beyond. */
	@Test
	void whatIsHandedOverIsToldByItsCheck() {
		for (double due = 0; due <= HORIZON.toSeconds(); due += 0.5) {
			long written = this.checks.written(in(due), NOW, false);
			assertThat(written >= in(due) || written <= NOW + CheckTimes.WRITTEN.toMillis()).as("due in %s s", due)
				.isTrue();
			assertThat(this.checks.handedOver(in(due), NOW)).isGreaterThan(in(due))
				.isLessThanOrEqualTo(this.checks.latest(NOW));
			assertThat(CheckTimes.isFar(written)).isFalse();
			assertThat(CheckTimes.isFar(this.checks.written(in(due + HORIZON.toSeconds() + 0.001), NOW, true)))
				.isTrue();
		}
	}

	@Test
	void horizonIsCountedFromNow() {
		assertThat(this.checks.horizonMillis(NOW)).isEqualTo(in(3600));
		assertThat(new CheckTimes(Duration.ZERO).written(NOW, NOW, false)).isEqualTo(in(5));
		assertThat(new CheckTimes(Duration.ZERO).written(NOW + 1, NOW, true)).isEqualTo(CheckTimes.FAR + NOW + 1);
	}

	private static long in(double seconds) {
		return NOW + Math.round(seconds * 1000);
	}

}
