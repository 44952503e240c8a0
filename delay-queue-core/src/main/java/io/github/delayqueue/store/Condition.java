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

	/**
	 * For {@link TaskStore#cancel}: a task that is not newer than a generation.
	 * @param generation the highest generation that is meant, 0 to {@link Generation#MAX}
	 * @throws IllegalArgumentException if the generation is not within its bounds
	 */
	public static Condition upTo(long generation) {
		return new Condition(OptionalLong.of(generation), OptionalLong.empty());
	}

	/**
	 * For {@link TaskStore#reschedule}: a task of one generation, which gets another one.
	 * @param generation the generation that the task has to have, 0 to
	 * {@link Generation#MAX}
	 * @param next the generation that the task has then, 0 to {@link Generation#MAX}
	 * @throws IllegalArgumentException if a generation is not within its bounds
	 */
	public static Condition exactly(long generation, long next) {
		return new Condition(OptionalLong.of(generation), OptionalLong.of(next));
	}

}
