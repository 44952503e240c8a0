package io.github.delayqueue.roles;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How many completed tasks and dead letters a queue keeps, and for how long.
 *
 * @param completed for how long handled tasks are kept, zero for not at all
 * @param dead for how long dead letters are kept, {@code null} forever
 * @param deadMaxSize how many dead letters are kept, {@code null} for any number
 */
public record Retention(Duration completed, @Nullable Duration dead, @Nullable Long deadMaxSize) {

	/** Handled tasks are not kept, dead ones forever. */
	public static final Retention NONE = new Retention(Duration.ZERO, null, null);

}
