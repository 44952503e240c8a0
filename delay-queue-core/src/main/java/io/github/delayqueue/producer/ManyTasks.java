package io.github.delayqueue.producer;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The part of a template that schedules many tasks at once, or without waiting. For
 * wiring. Thread-safe.
 */
public interface ManyTasks extends ProducerPart {

	/**
	 * The template is created.
	 * @param encoder checks a request and writes it, or throws
	 */
	void join(TaskSender sender, Function<TaskRequest, EncodedTask> encoder);

	/** As {@link DelayQueueOperations#scheduleAsync(TaskRequest)} does. */
	CompletableFuture<ScheduleResult> scheduleAsync(TaskRequest request);

	/** As {@link DelayQueueOperations#scheduleAll(Collection)} does. */
	List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests);

}
