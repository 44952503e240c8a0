package io.github.delayqueue.store;

import java.util.OptionalLong;

/**
 * The condition of a step. If it is not met, the step does nothing, and returns that
 * there is no such task.
 *
 * @param generation the highest generation, or the only one, that is meant; empty for any
 * @param next the generation that the task has after it, empty for the same as before;
 * only with a generation that is meant
 */
public record Condition(OptionalLong generation, OptionalLong next) {

	/** Of a caller who holds a step to nothing. */
	public static final Condition NONE = new Condition(OptionalLong.empty(), OptionalLong.empty());

	public Condition {
		generation.ifPresent(Generation::requireBounds);
		next.ifPresent(Generation::requireBounds);
		if (next.isPresent() && generation.isEmpty()) {
			throw new IllegalArgumentException(
					"A task gets generation " + next.getAsLong() + " only from one that is expected");
		}
	}

	/** For {@link TaskStore#cancel}: a task that is not newer than a generation. */
	public static Condition upTo(long generation) {
		return new Condition(OptionalLong.of(generation), OptionalLong.empty());
	}

	/** For {@link TaskStore#reschedule}: a task of one generation, which gets another. */
	public static Condition exactly(long generation, long next) {
		return new Condition(OptionalLong.of(generation), OptionalLong.of(next));
	}

}
