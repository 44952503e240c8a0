package io.github.delayqueue.defects;

import java.util.List;
import java.util.stream.Stream;

import io.github.delayqueue.faults.FaultSuite;
import io.github.delayqueue.journal.JournalHistories;
import io.github.delayqueue.power.PowerLossSuite;
import io.github.delayqueue.races.RaceSuite;
import io.github.delayqueue.simulation.SimulationSuite;

/**
 * What may have to notice a defect, in a JVM of its own.
 */
enum DefectSuite {

	/** Processes, a Redis and random faults. */
	FAULTS(FaultSuite.class, List.of("-Dfaults.minutes=0.6", "-Dfaults.drain-seconds=20")),

	/** Random histories of a journal. */
	HISTORIES(JournalHistories.class, List.of("-Dhistory.sequences=120")),

	/** A week of everything in one process, by a clock that jumps, in short days. */
	SIMULATION(SimulationSuite.class, List.of("-Dsimulation.days=84", "-Dsimulation.hours=2")),

	/** The same with a journal. */
	JOURNAL_SIMULATION(SimulationSuite.class, List.of("-Dsimulation.days=20", "-Dsimulation.journal=true")),

	/** A week in hours, on a Redis that runs the scripts. */
	SCRIPTS(SimulationSuite.class,
			List.of("-Dsimulation.days=168", "-Dsimulation.hours=1", "-Dsimulation.scripts=true")),

	/** The same with a journal, for as long as others take. */
	JOURNAL_SCRIPTS(SimulationSuite.class,
			List.of("-Dsimulation.days=20", "-Dsimulation.journal=true", "-Dsimulation.scripts=true")),

	/** Cuts of the power of a database. */
	POWER(PowerLossSuite.class, List.of()),

	/** Threads that meet in many orders. */
	RACES(RaceSuite.class, Stream.concat(RaceSuite.OPTIONS.stream(), Stream.of("-Draces.orders=40")).toList());

	private final Class<?> main;

	private final List<String> properties;

	DefectSuite(Class<?> main, List<String> properties) {
		this.main = main;
		this.properties = properties;
	}

	/** What notices the same by a simulation with the scripts. */
	DefectSuite scripts() {
		return (this == HISTORIES || this == JOURNAL_SIMULATION) ? JOURNAL_SCRIPTS : SCRIPTS;
	}

	String main() {
		return this.main.getName();
	}

	/**
	 * What makes it short enough.
	 * @return options for the JVM
	 */
	List<String> properties() {
		return this.properties;
	}

}
