package io.github.delayqueue.benchmark.measure;

import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.SystemType;

/**
 * A measure of one system, made in each process that is started for that system.
 */
public abstract class ForkedMeasure extends NamedMeasure {

	private BiPredicate<SystemType, Integer> condition = (type, round) -> true;

	/**
	 * Name it.
	 * @param key name in options and files
	 * @param title what is measured, for headings
	 */
	ForkedMeasure(String key, String title) {
		super(key, title);
	}

	/**
	 * Measure only some systems, or only in some rounds.
	 * @param condition a system, and the number of the round from zero
	 * @return this measure
	 */
	final ForkedMeasure when(BiPredicate<SystemType, Integer> condition) {
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
		return isPossible(type) && this.condition.test(type, round);
	}

	/**
	 * Whether a system can be measured.
	 * @param type the system
	 * @return whether it has what the measure needs
	 */
	abstract boolean isPossible(SystemType type);

	/**
	 * Measure once.
	 * @param fork the process and what it has measured so far
	 * @return what came out, {@code null} if there is nothing to measure
	 */
	abstract @Nullable Sample measure(Fork fork);

}
