package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.simulation.Simulation.Outcome;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Simulation}.
 */
class SimulationTests {

	private static final Duration LENGTH = Duration.ofMinutes(TestEffort.pick(20, 60));

	private static final Scenario HOUR = Scenario.of(42, Duration.ofHours(1), 3000, 60).until(LENGTH);

	private static final Scenario OTHER_HOUR = Scenario.of(43, Duration.ofHours(1), 3000, 60).until(LENGTH);

	@Test
	void sameSeedGivesTheSameLogByteForByteThoughAnotherRunsBeside() {
		Outcome first = Simulation.run(HOUR, true, UnaryOperator.identity());
		CompletableFuture<Outcome> beside = CompletableFuture.supplyAsync(() -> Simulation.run(OTHER_HOUR));
		Outcome second = Simulation.run(HOUR, true, UnaryOperator.identity());
		assertThat(beside.join().findings().violations()).isEmpty();
		assertSame(first, second);
	}

	@Test
	void sameSeedGivesTheSameLogWithAJournal() {
		Scenario scenario = Scenario.journal(42).until(Duration.ofMinutes(TestEffort.pick(10, 20)));
		Outcome first = Simulation.run(scenario, true, UnaryOperator.identity());
		Outcome second = Simulation.run(scenario, true, UnaryOperator.identity());
		assertSame(first, second);
	}

	private static void assertSame(Outcome first, Outcome second) {
		int same = 0;
		while (same < Math.min(first.lines().size(), second.lines().size())
				&& first.lines().get(same).equals(second.lines().get(same))) {
			same++;
		}
		int from = Math.max(0, same - 5);
		assertThat(second.lines().subList(from, Math.min(second.lines().size(), same + 2))).as("after %d lines", same)
			.isEqualTo(first.lines().subList(from, Math.min(first.lines().size(), same + 2)));
		assertThat(second.lines()).hasSameSizeAs(first.lines());
	}

}
