package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RepeatedStep}.
 */
class RepeatedStepTests {

	private final List<Integer> delays = new ArrayList<>();

	private final RepeatedStep step = new RepeatedStep(IllegalStateException.class, 3, (repeated) -> {
		this.delays.add(repeated);
		return Duration.ofNanos(1);
	});

	private int runs;

	@Test
	void isRepeatedWhileSomebodyIsInTheWay() {
		assertThat(this.step.<Integer>run(() -> {
			if (++this.runs < 3) {
				throw new RuntimeException(new IllegalStateException());
			}
			return this.runs;
		})).isEqualTo(3);
		assertThat(this.delays).containsExactly(0, 1);
	}

	@Test
	void isNotRepeatedForEver() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.step.run(() -> {
			throw new IllegalStateException(String.valueOf(++this.runs));
		})).withMessage("4");
		assertThat(this.delays).containsExactly(0, 1, 2);
	}

	@Test
	void isNotRepeatedIfItEndsOtherwise() {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> this.step.run(() -> {
			throw new IllegalArgumentException(String.valueOf(++this.runs));
		})).withMessage("1");
	}

	@Test
	void isNotRepeatedByAThreadThatIsToEnd() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.step.run(() -> {
			throw new IllegalStateException(String.valueOf(++this.runs));
		})).withMessage("1");
		assertThat(Thread.interrupted()).isTrue();
	}

}
