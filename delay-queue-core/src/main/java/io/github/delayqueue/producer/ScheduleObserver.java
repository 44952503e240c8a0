package io.github.delayqueue.producer;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.delayqueue.event.TaskObserver;

/**
 * Looks on while tasks are scheduled, as well as while they are handled: makes the calls
 * of a template in place of it. For wiring.
 */
public interface ScheduleObserver extends TaskObserver {

	/** Schedule a task. */
	ScheduleResult schedule(TaskRequest request, Function<TaskRequest, ScheduleResult> call);

	/** Schedule a task without waiting. */
	CompletableFuture<ScheduleResult> scheduleAsync(TaskRequest request,
			Function<TaskRequest, CompletableFuture<ScheduleResult>> call);

	/** Schedule many tasks. */
	List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests,
			Function<Collection<TaskRequest>, List<ScheduleResult>> call);

}
