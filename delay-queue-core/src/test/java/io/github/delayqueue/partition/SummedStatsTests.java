package io.github.delayqueue.partition;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.roles.History.Hour;
import io.github.delayqueue.roles.History;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SummedStats}.
 */
class SummedStatsTests {

	@Test
	void historiesAreAddedHourByHour() {
		History one = new History(List.of(hour(1, 1), hour(2, 10)));
		History other = new History(List.of(hour(0, 100), hour(2, 1000)));
		assertThat(SummedStats.history(List.of(one, other)).hours()).containsExactly(hour(0, 100), hour(1, 1),
				hour(2, 1010));
		assertThat(SummedStats.history(List.of(one, History.NONE))).isEqualTo(one);
	}

	private static Hour hour(long number, long times) {
		return new Hour(Instant.EPOCH.plus(Duration.ofHours(number)), times, 2 * times, 3 * times, 4 * times,
				Duration.ofMillis(5 * times));
	}

}
