package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.simulation.Simulation.Outcome;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulated days: instances on a store in memory, with a fault every 86 seconds. Nothing
 * acknowledged is lost, nothing is handled early or late, everything that is handled
 * again has a reason. Each day has a seed of its own and is a run of its own.
 * <p>
 * {@code -Dsimulation.days=365} for a year, {@code -Dsimulation.seed=42} for the seed of
 * the first day, {@code -Dsimulation.journal-hours=100} for hours with a journal,
 * {@code -Dsimulation.script-days=7} for days on a Redis that runs the scripts. As many
 * are run at a time as there are cores, and as the heap has room for.
 */
class SimulationIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(SimulationIntegrationTests.class);

	private static final int DAYS = Integer.getInteger("simulation.days", TestEffort.pick(1, 30));

	private static final int DAY_HOURS = Integer.getInteger("simulation.hours",
			(System.getProperty("simulation.days") != null) ? 24 : TestEffort.pick(3, 24));

	private static final int SCRIPT_DAYS = Integer.getInteger("simulation.script-days", TestEffort.pick(1, 7));

	private static final int SCRIPT_MINUTES = Integer.getInteger("simulation.script-minutes",
			TestEffort.pick(20, 24 * 60));

	private static final int DAYS_IN_ONE_PIECE = Integer.getInteger("simulation.days-in-one-piece",
			TestEffort.hasNewSeeds() ? 30 : 2);

	private static final int HOURS = Integer.getInteger("simulation.journal-hours", TestEffort.pick(1, 24));

	private static final long SEED = Long.getLong("simulation.seed", TestEffort.seed(1));

	/** What a day needs of the heap, at most. */
	private static final long DAY_BYTES = 768L << 20;

	@Test
	void nothingIsLostOrEarlyOrLateOrRepeatedWithoutAReasonInSimulatedDays() throws Exception {
		inParallel(DAYS, (day) -> {
			Outcome outcome = run(Scenario.hours(SEED + day, DAY_HOURS),
					"-Dsimulation.days=1 -Dsimulation.hours=" + DAY_HOURS);
			assertThat(outcome.report().acknowledged()).as("tasks").isGreaterThan(3000 * DAY_HOURS);
			assertThat(outcome.report().inflicted()).as("faults").isGreaterThan(30 * DAY_HOURS);
		});
	}

	@Test
	void journalMakesUpForWhatRedisForgetsInSimulatedHours() throws Exception {
		inParallel(HOURS, (hour) -> run(Scenario.journal(SEED + hour), "-Dsimulation.journal-hours=1"));
	}

	@Test
	void scriptsGiveTheAnswersOfTheStoreInMemoryInSimulatedDays() throws Exception {
		TurnedClock.library();
		Duration length = Duration.ofMinutes(SCRIPT_MINUTES);
		inParallel(SCRIPT_DAYS, (day) -> {
			Scenario scenario = Scenario.hours(SEED + day, Math.max(1, SCRIPT_MINUTES / 60)).withScripts();
			run(scenario.until(length), "-Dsimulation.script-days=1");
			Scenario journal = Scenario.journal(SEED + day).withScripts();
			run(journal.until((length.compareTo(journal.length()) < 0) ? length : journal.length()),
					"-Dsimulation.script-days=1");
		});
	}

	/** With few tasks, and long times in which only recurring ones wake consumers. */
	@Test
	@Heavy
	void scriptsGiveThemInAMonthInOnePiece() {
		TurnedClock.library();
		int days = DAYS_IN_ONE_PIECE;
		run(Scenario.of(SEED, Duration.ofDays(days), 1000 * days, 100 * days).withScripts(),
				"-Dsimulation.days-in-one-piece=" + days);
	}

	private static void inParallel(int count, IntConsumer run) throws Exception {
		Runtime machine = Runtime.getRuntime();
		long threads = Math.min(machine.availableProcessors(), machine.maxMemory() / DAY_BYTES);
		ExecutorService executor = Executors.newFixedThreadPool((int) Math.max(1, threads));
		try {
			List<Future<?>> runs = IntStream.range(0, count)
				.<Future<?>>mapToObj((number) -> executor.submit(() -> run.accept(number)))
				.toList();
			for (Future<?> each : runs) {
				each.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static Outcome run(Scenario scenario, String once) {
		Outcome outcome = Simulation.run(scenario);
		logger.info("{}: {}", scenario, outcome.report().text());
		if (!outcome.findings().violations().isEmpty()) {
			throw new AssertionError(
					"-Dsimulation.seed=" + scenario.seed() + " " + once + ": " + SimulationSuite.describe(outcome));
		}
		return outcome;
	}

}
