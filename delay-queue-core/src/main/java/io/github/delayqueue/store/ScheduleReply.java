package io.github.delayqueue.store;

import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.ScheduleOutcome;

/**
 * Result of {@link TaskStore#schedule(String, List, ScheduleOptions)}: the tasks are
 * stored, whatever the doubt. It supplies itself, where it is known at once.
 *
 * @param outcomes what became of each task, in the order given
 * @param doubt why they are not safe, {@code null} if they are
 */
public record ScheduleReply(List<ScheduleOutcome> outcomes, @Nullable Doubt doubt) implements Supplier<ScheduleReply> {

	/** A reply without a doubt. */
	public static ScheduleReply of(List<ScheduleOutcome> outcomes) {
		return new ScheduleReply(outcomes, null);
	}

	@Override
	public ScheduleReply get() {
		return this;
	}

	/**
	 * Fewer have confirmed in time that they have the tasks than the queue asks for.
	 *
	 * @param confirmations how many have
	 * @param wanted how many the queue asks for
	 * @param error why the store could not go on asking them, {@code null} if it could
	 */
	public record Doubt(int confirmations, int wanted, @Nullable RuntimeException error) implements Serializable {

	}

}
