package io.github.delayqueue.benchmark.measure;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Team}.
 */
class TeamTests {

	@Test
	void drainsWhoseTasksWereNotThereInTimeDoNotCount() {
		assertThat(Team.inTime(3, Double.NaN, 1, 2, Double.NaN)).containsExactly(1, 2, 3);
		assertThat(Team.inTime(5)).containsExactly(5);
	}

	@Test
	void tooFewDrainsAreNoMeasurement() {
		assertThatIllegalStateException().isThrownBy(() -> Team.inTime(3, Double.NaN, 1, Double.NaN, Double.NaN))
			.withMessageContaining("3 of 5");
		assertThatIllegalStateException().isThrownBy(() -> Team.inTime(Double.NaN));
	}

}
