package io.github.delayqueue.store;

/**
 * The condition of a step. If it is not met, the step does nothing, and returns that
 * there is no such task.
 *
 * @param generation the generation that the task must have, or for
 * {@link TaskStore#cancel} the highest, as the sixteen digits that an envelope begins
 * with; empty for any
 * @param next the generation that the task gets, likewise
 */
public record Condition(String generation, String next) {

	/** Of a caller who holds a step to nothing. */
	public static final Condition NONE = new Condition("", "");

}
