package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import io.github.delayqueue.faults.Load;
import io.github.delayqueue.faults.SuiteSettings;

/**
 * What a simulation is made of. Nothing else decides how it runs.
 *
 * @param seed of everything that is random in it
 * @param scripts whether a Redis runs the scripts; else the store in memory stands for it
 * @param journal whether a database has the tasks as well
 * @param length for how long faults are inflicted and tasks are scheduled
 * @param stepEvery from one call of a producer to the next, if none is left out
 * @param consumers how many instances consume
 * @param recurring whether there are recurring tasks
 * @param steps which calls producers make, by their numbers: what one does depends on its
 * number, not on the others
 * @param faults what is inflicted
 */
record Scenario(long seed, boolean scripts, boolean journal, Duration length, Duration stepEvery, int consumers,
		boolean recurring, List<Integer> steps, List<PlannedFault> faults) {

	static final int PRODUCERS = 2;

	private static final int BURST = 48;

	/**
	 * So many calls come between a burst and the next, two at about the same time: if
	 * their tasks wait for something, nothing else wakes consumers.
	 */
	private static final int BETWEEN = 8;

	private static final Duration WITHIN_BURST = Duration.ofMillis(120);

	/** By so much either of the two is late at most. */
	private static final long APART_NANOS = 6_000_000;

	/** A call of a producer schedules about so many tasks. */
	private static final double TASKS_PER_STEP = 6.6;

	private static final int MOST_CONSUMERS = 3;

	/**
	 * A scenario by chance.
	 * @param seed of the chance
	 * @param length how long
	 * @param tasks about how many
	 * @param faults how many
	 * @return the scenario
	 */
	static Scenario of(long seed, Duration length, int tasks, int faults) {
		int steps = Math.max(1, (int) (tasks / TASKS_PER_STEP));
		return of(seed, false, length, steps, faults);
	}

	private static Scenario of(long seed, boolean journal, Duration length, int steps, int faults) {
		boolean steady = isSteady(seed, journal);
		int consumers = 1 + (int) Math.floorMod(seed, (long) MOST_CONSUMERS);
		Duration stepEvery = length.dividedBy(steps);
		return new Scenario(seed, false, journal, length, stepEvery, consumers, !journal,
				IntStream.range(0, steps).boxed().toList(), PlannedFault.plan(new Random(seed), length,
						steady ? faults / 2 : faults, steady ? Duration.ZERO : stepEvery.multipliedBy(BURST), journal))
			.until(length);
	}

	/** A day, or a part of it, as it is usually: a fault every 86 seconds. */
	static Scenario hours(long seed, int hours) {
		return of(seed, Duration.ofHours(hours), hours * 100_000 / 24, hours * 1000 / 24);
	}

	/** An hour of queues with a journal, whose database takes real time. */
	static Scenario journal(long seed) {
		return of(seed, true, Duration.ofHours(1), 240, 40);
	}

	/**
	 * Whether calls come one by one, and there are fewer faults: rows that could not be
	 * handed over wait for so long that in a burst there is always another fault.
	 */
	private static boolean isSteady(long seed, boolean journal) {
		return journal && seed % 2 != 0;
	}

	/**
	 * Most calls come in bursts, so that tasks are still there when they are cancelled.
	 */
	Duration timeOf(int step) {
		if (isSteady(this.seed, this.journal)) {
			return this.stepEvery.multipliedBy(step);
		}
		int place = step % BURST;
		Duration burst = this.stepEvery.multipliedBy(step - place);
		int between = place - (BURST - BETWEEN);
		if (between < 0) {
			return burst.plus(WITHIN_BURST.multipliedBy(place));
		}
		// when what the burst has scheduled is over
		Duration after = this.stepEvery.multipliedBy(BURST)
			.multipliedBy(BETWEEN + between / 2 * 2)
			.dividedBy(2L * BETWEEN);
		return burst.plus(after).plusNanos(Math.floorMod(mix(this.seed, step), APART_NANOS));
	}

	/** Make the call. */
	static void make(int step, Load load) {
		int between = step % BURST - (BURST - BETWEEN);
		if (between < 0) {
			load.step();
		}
		else if (between < BETWEEN - PRODUCERS) {
			load.scheduleOne(SuiteSettings.QUEUES.get(between / PRODUCERS));
		}
		else {
			load.redrive();
		}
	}

	/** The same, but over earlier. */
	Scenario until(Duration end) {
		return new Scenario(this.seed, this.scripts, this.journal, end, this.stepEvery, this.consumers, this.recurring,
				this.steps.stream().filter((step) -> timeOf(step).compareTo(end) < 0).toList(),
				this.faults.stream().filter((fault) -> fault.at().compareTo(end) < 0).toList());
	}

	/** The same on a Redis that runs the scripts. */
	Scenario withScripts() {
		return new Scenario(this.seed, true, this.journal, this.length, this.stepEvery, this.consumers, this.recurring,
				this.steps, this.faults);
	}

	Random random(String what) {
		return new Random(mix(this.seed, what.hashCode()));
	}

	static long mix(long seed, long number) {
		long mixed = (seed ^ (number * 0x9E3779B97F4A7C15L)) * 0xBF58476D1CE4E5B9L;
		return mixed ^ (mixed >>> 31);
	}

	@Override
	public String toString() {
		return "%s%s%s, %d consumers, %d calls of producers%s, %d faults".formatted(this.length,
				this.journal ? " with a journal" : "", this.scripts ? " on Redis" : "", this.consumers,
				this.steps.size(), this.recurring ? ", recurring tasks" : "", this.faults.size());
	}

}
