package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.Findings.Violation;
import io.github.delayqueue.simulation.Simulation.Outcome;

/**
 * Leaves out of a scenario that breaks a rule whatever it breaks it without: its end,
 * instances, recurring tasks, faults and calls of producers. Each attempt is a run of its
 * own. Any violation of the same rule will do.
 */
final class Shrinker {

	private final long end;

	private final String rule;

	private final Function<Scenario, Outcome> runs;

	private Outcome smallest;

	/**
	 * Create a shrinker.
	 * @param failed what is wrong
	 * @param patience for how long to try
	 */
	Shrinker(Outcome failed, Duration patience) {
		this(failed, patience, Simulation::run);
	}

	Shrinker(Outcome failed, Duration patience, Function<Scenario, Outcome> runs) {
		this.smallest = failed;
		this.runs = runs;
		this.rule = failed.findings().violations().get(0).rule();
		this.end = System.nanoTime() + patience.toNanos();
	}

	/** The smallest that was found in time. */
	Outcome shrink() {
		while (attempt(this.smallest.scenario().until(this.smallest.scenario().length().dividedBy(2)))) {
			// half of what was left will do
		}
		Duration length = this.smallest.scenario().length();
		attempt(this.smallest.scenario().until(length.multipliedBy(3).dividedBy(4)));
		attempt(this.smallest.scenario().withoutRecurring());
		leaveOut(this.smallest.scenario().faults(), Scenario::withFaults);
		leaveOut(this.smallest.scenario().steps(), Scenario::withSteps);
		while (this.smallest.scenario().consumers() > 1
				&& attempt(this.smallest.scenario().withConsumers(this.smallest.scenario().consumers() - 1))) {
			// one less
		}
		leaveOut(this.smallest.scenario().faults(), Scenario::withFaults);
		leaveOut(this.smallest.scenario().steps(), Scenario::withSteps);
		return this.smallest;
	}

	private <T> void leaveOut(List<T> all, BiFunction<Scenario, List<T>, Scenario> with) {
		List<T> left = all;
		for (int size = left.size(); size > 0; size /= 2) {
			for (int from = left.size() - size; from >= -size + 1 && !left.isEmpty(); from -= size) {
				List<T> fewer = new ArrayList<>(left);
				fewer.subList(Math.max(0, from), Math.min(left.size(), from + size)).clear();
				if (fewer.size() < left.size() && attempt(with.apply(this.smallest.scenario(), fewer))) {
					left = fewer;
				}
			}
		}
	}

	private boolean attempt(Scenario scenario) {
		if (System.nanoTime() - this.end > 0) {
			return false;
		}
		Outcome outcome = this.runs.apply(scenario);
		Violation violation = outcome.findings()
			.violations()
			.stream()
			.filter((found) -> found.rule().equals(this.rule))
			.findFirst()
			.orElse(null);
		return keepIfBroken(outcome, violation);
	}

	private boolean keepIfBroken(Outcome outcome, @Nullable Violation violation) {
		if (violation != null) {
			this.smallest = outcome;
		}
		return violation != null;
	}

}
