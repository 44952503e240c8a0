package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.delayqueue.faults.FaultSuite;
import io.github.delayqueue.simulation.Simulation.Outcome;

/**
 * Runs simulated days without JUnit, with whatever is on the class path, until a rule is
 * broken. It ends as {@link FaultSuite} does.
 */
public final class SimulationSuite {

	private static final int FAULTS_SHOWN = 10;

	private static final int SHOWN_OF_EACH_RULE = 3;

	private SimulationSuite() {
	}

	/**
	 * Run them.
	 * @param args none; {@code -Dsimulation.days} and {@code -Dsimulation.seed} say
	 * which, {@code -Dsimulation.hours} how long a day is,
	 * {@code -Dsimulation.journal=true} lets a database have the tasks as well,
	 * {@code -Dsimulation.scripts=true} runs the scripts on a Redis
	 */
	public static void main(String[] args) {
		int days = Integer.getInteger("simulation.days", 1);
		int hours = Integer.getInteger("simulation.hours", 24);
		boolean journal = Boolean.getBoolean("simulation.journal");
		boolean scripts = Boolean.getBoolean("simulation.scripts");
		long seed = Long.getLong("simulation.seed", 1);
		for (int day = 0; day < days; day++) {
			long start = System.nanoTime();
			Scenario scenario = journal ? Scenario.journal(seed + day) : Scenario.hours(seed + day, hours);
			Outcome outcome = Simulation.run(scripts ? scenario.withScripts() : scenario);
			System.out.printf("Day %d: %d steps, %d ms, %s%n", day, outcome.steps(),
					Duration.ofNanos(System.nanoTime() - start).toMillis(), outcome.report().text());
			if (!outcome.findings().violations().isEmpty()) {
				System.out.println(describe(outcome));
				System.exit(FaultSuite.VIOLATIONS);
			}
		}
		System.exit(0);
	}

	/** What is wrong, and how to repeat it. */
	static String describe(Outcome outcome) {
		Map<String, Integer> shown = new HashMap<>();
		return "%d violations, -Dsimulation.seed=%d (%s, faults: %s), the first of each kind:%n%s".formatted(
				outcome.findings().violations().size(), outcome.scenario().seed(), outcome.scenario(),
				outcome.scenario().faults().stream().limit(FAULTS_SHOWN).toList(),
				outcome.findings()
					.violations()
					.stream()
					.filter((violation) -> shown.merge(violation.rule(), 1, Integer::sum) <= SHOWN_OF_EACH_RULE)
					.map(String::valueOf)
					.collect(Collectors.joining("\n")));
	}

}
