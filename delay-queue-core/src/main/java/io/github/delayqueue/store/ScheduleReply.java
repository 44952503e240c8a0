package io.github.delayqueue.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.ScheduleOutcome;

/**
 * Result of {@link TaskStore#schedule(String, List, ScheduleOptions)}: the tasks are
 * stored, whatever the number of replicas.
 *
 * @param outcomes what became of each task, in the order given
 * @param replicas how many replicas have confirmed that they have them, fewer than asked
 * for if the time was over
 * @param error why the store could not go on asking the replicas, {@code null} if it
 * could; the tasks are stored all the same
 */
public record ScheduleReply(List<ScheduleOutcome> outcomes, int replicas, @Nullable RuntimeException error) {

	/** The answer of a store without replicas to wait for: as many as asked for. */
	public static ScheduleReply of(List<ScheduleOutcome> outcomes, ScheduleOptions options) {
		return new ScheduleReply(outcomes, options.minReplicas(), null);
	}

}
