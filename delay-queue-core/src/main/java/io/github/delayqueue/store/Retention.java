package io.github.delayqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a queue keeps of tasks that are over. What goes beyond it is removed by claims, at
 * most 1000 entries of each kind in one claim, which is twice what one can bring.
 *
 * @param completed for how long handled tasks are kept, zero for not at all
 * @param dead for how long dead tasks are kept, {@code null} for ever
 * @param deadMaxSize how many dead tasks are kept, {@code null} for any number
 */
public record Retention(Duration completed, @Nullable Duration dead, @Nullable Long deadMaxSize) {

	/** Handled tasks are not kept, dead ones for ever. */
	public static final Retention NONE = new Retention(Duration.ZERO, null, null);

	/**
	 * What one of several partitions keeps.
	 * @return at least one dead task of those to keep
	 */
	Retention share(int partitions) {
		return (this.deadMaxSize == null) ? this
				: new Retention(this.completed, this.dead, Math.max(1, this.deadMaxSize / partitions));
	}

}
