package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.simulation.Simulation.Outcome;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DelegatingTaskStore;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Simulation}.
 */
class SimulationTests {

	private static final Scenario HOUR = Scenario.of(42, Duration.ofHours(1), 3000, 60);

	private static final Scenario OTHER_HOUR = Scenario.of(43, Duration.ofHours(1), 3000, 60);

	@Test
	void sameSeedGivesTheSameLogByteForByteThoughAnotherRunsBeside() {
		Outcome first = Simulation.run(HOUR, true, UnaryOperator.identity());
		CompletableFuture<Outcome> beside = CompletableFuture.supplyAsync(() -> Simulation.run(OTHER_HOUR));
		Outcome second = Simulation.run(HOUR, true, UnaryOperator.identity());
		assertThat(beside.join().findings().violations()).isEmpty();
		assertSame(first, second);
	}

	@Test
	void otherSeedGivesAnotherLog() {
		Scenario other = Scenario.of(43, Duration.ofMinutes(10), 500, 0);
		assertThat(
				Simulation.run(Scenario.of(42, Duration.ofMinutes(10), 500, 0), true, UnaryOperator.identity()).lines())
			.isNotEqualTo(Simulation.run(other, true, UnaryOperator.identity()).lines());
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

	@Test
	void whatFailsIsShrunkToWhatItNeeds() {
		Function<Scenario, Outcome> runs = (scenario) -> Simulation.run(scenario, false, ForgetfulStore::new);
		Outcome failed = runs.apply(Scenario.of(1, Duration.ofMinutes(30), 1500, 30));
		assertThat(failed.findings().violations()).isNotEmpty();
		Outcome smallest = new Shrinker(failed, Duration.ofMinutes(1), runs).shrink();
		assertThat(smallest.scenario().steps()).hasSize(1);
		assertThat(smallest.scenario().faults()).isEmpty();
		assertThat(smallest.scenario().consumers()).isEqualTo(1);
		assertThat(smallest.scenario().recurring()).isFalse();
		assertThat(SimulationSuite.describe(smallest)).contains("lost", "-Dsimulation.seed=1");
	}

	/** Forgets some tasks of a large call, and says that it has them. */
	private static final class ForgetfulStore extends DelegatingTaskStore {

		private ForgetfulStore(TaskStore delegate) {
			super(delegate);
		}

		@Override
		public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
			Supplier<ScheduleReply> reply = super.scheduleAhead(queue, tasks, options);
			if (tasks.size() > 22) {
				cancel(queue, tasks.get(7).id(), Condition.NONE);
			}
			return reply;
		}

	}

	@Test
	void withoutFaultsEachTaskIsHandledOnceAndOnTime() {
		Outcome outcome = Simulation.run(Scenario.of(1, Duration.ofMinutes(30), 2000, 0));
		assertThat(outcome.findings().violations()).isEmpty();
		assertThat(outcome.report().acknowledged()).isGreaterThan(1500);
	}

}
