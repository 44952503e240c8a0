package io.github.delayqueue.store.redis;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleReply;

/** A shorter way to store tasks whose ids are new. A part has one. Thread-safe. */
public interface NewTaskStep {

	/**
	 * Store tasks, and learn later what became of them.
	 * @param sources how many the queue has, as the caller knows
	 * @param otherwise stores them by the longer way, if an id is known after all
	 * @return waits for the result and returns it; to be called in any case. {@code null}
	 * if nothing is sent, because these need the longer way
	 */
	@Nullable Supplier<ScheduleReply> scheduleAhead(String queue, String sources, List<NewTask> tasks,
			Supplier<ScheduleReply> otherwise);

}
