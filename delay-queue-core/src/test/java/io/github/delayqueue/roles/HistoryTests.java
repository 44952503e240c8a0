package io.github.delayqueue.roles;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.roles.History.Hour;
import io.github.delayqueue.roles.History.Totals;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link History}.
 */
class HistoryTests {

	@Test
	void totalThatHasFallenMakesTheHourBeforeUnknown() {
		for (Totals fallen : List.of(new Totals(8, 8, 9, 9, 9, 9), new Totals(8, 9, 8, 9, 9, 9),
				new Totals(8, 9, 9, 8, 9, 9), new Totals(8, 9, 9, 9, 8, 9), new Totals(8, 9, 9, 9, 9, 8))) {
			List<Totals> totals = List.of(new Totals(6, 8, 9, 9, 9, 9), new Totals(7, 9, 9, 9, 9, 9), fallen,
					new Totals(8, 9, 9, 10, 9, 9));
			assertThat(History.of(totals).hours()).extracting(Hour::start).containsExactly(start(6), start(8));
		}
	}

	@Test
	void hourBeyondThePresentOneIsNotKnown() {
		assertThat(History.of(List.of(new Totals(9, 0, 0, 0, 0, 0), new Totals(8, 1, 0, 0, 0, 0))).hours()).isEmpty();
	}

	private static Instant start(long hour) {
		return Instant.EPOCH.plus(Duration.ofHours(hour));
	}

}
