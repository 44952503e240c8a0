package io.github.delayqueue.roles;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One step of a search among dead letters. Public for the stores.
 *
 * @param cause what they have died of, as {@link io.github.delayqueue.TaskFailure#cause}
 * says; {@link #NO_FAILURE} for those without a failure; {@code null} for any
 * @param until since when they are dead at the latest
 * @param cursor where to go on, as the last step returned; {@code null} to begin
 * @param tasks how many tasks to return at most, up to {@value #MAX_TASKS}; 0 to count by
 * cause
 * @param whole whether tasks are returned with counts and failures
 */
public record DeadSearch(@Nullable String cause, Instant until, @Nullable String cursor, int tasks, boolean whole) {

	/** The cause of dead letters that have no failure. */
	public static final String NO_FAILURE = "none";

	/** How many tasks a step looks at, at most. */
	public static final int MAX_LOOKS = 1000;

	/** How many tasks a step returns, at most. */
	public static final int MAX_TASKS = 500;

	public DeadSearch {
		if (tasks < 0 || tasks > MAX_TASKS) {
			throw new IllegalArgumentException("0 to " + MAX_TASKS + " tasks in one step, not " + tasks);
		}
	}

	/** The first step of counting dead letters by cause. */
	public static DeadSearch byCause(Instant until) {
		return new DeadSearch(null, until, null, 0, false);
	}

	/** The same from another place on. */
	public DeadSearch from(@Nullable String cursor) {
		return new DeadSearch(this.cause, this.until, cursor, this.tasks, this.whole);
	}

	/** The same for another number of tasks. */
	public DeadSearch withTasks(int tasks) {
		return new DeadSearch(this.cause, this.until, this.cursor, tasks, this.whole);
	}

}
