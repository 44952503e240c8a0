package io.github.delayqueue.benchmark.measure;

import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.SystemType;

/**
 * Something to be measured of one system, in each process that is started for it.
 */
public abstract class Measure {

	private final String key;

	private BiPredicate<SystemType, Integer> condition = (type, round) -> true;

	/**
	 * Name it.
	 * @param key name in options and results
	 */
	Measure(String key) {
		this.key = key;
	}

	public final String key() {
		return this.key;
	}

	/**
	 * Measure only some systems, or only in some rounds.
	 * @param condition a system, and the number of the round from zero
	 * @return this measure
	 */
	final Measure when(BiPredicate<SystemType, Integer> condition) {
		this.condition = condition;
		return this;
	}

	/**
	 * Whether to measure a system.
	 * @param type the system
	 * @param round how often it was measured before
	 * @return whether it is possible and wanted
	 */
	public final boolean isFor(SystemType type, int round) {
		return this.condition.test(type, round);
	}

	/**
	 * Measure once.
	 * @param fork the process and what it has measured so far
	 * @return what came out, {@code null} if there is nothing to measure
	 */
	abstract @Nullable Sample measure(Fork fork);

}
