package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Schedules, cancels, looks up and redrives tasks. Implemented by
 * {@link DelayQueueTemplate}; an interface so that it can be replaced in users' tests.
 * Tasks go to Redis through a {@code RedisTemplate} on connections of the delay queue's
 * own; the application's templates and serializers have no part in it. Thread-safe.
 * <p>
 * <b>Errors</b>: every method throws {@link io.github.delayqueue.DelayQueueException} if
 * a queue name or task id is not allowed, or the store cannot be reached or refuses. So
 * it does if a payload cannot be written, or is larger than
 * {@code delay-queue.producer.max-payload-size}. After a store error a task may or may
 * not have been scheduled; with an id of one's own, scheduling it again is harmless.
 * <p>
 * <b>Replicas</b>: if {@code delay-queue.producer.min-replicas} is set, methods whose
 * names begin with {@code schedule} return only once that many replicas have the task.
 * They throw {@link NotReplicatedException} if these have not within
 * {@code delay-queue.command-timeout}: the task is stored then, and may run, but is not
 * safe. Nothing else waits: a failover may undo {@link #reschedule}, {@link #cancel},
 * {@link #redrive} or the end of a handler. A task is then delivered at its former time,
 * or once more.
 * <p>
 * <b>Time</b>: a delay counts by the store's clock. An instant that is past and a delay
 * that is zero or negative mean now. Rounded up to the millisecond.
 */
public interface DelayQueueOperations extends ManyTasks, ManagedQueues, TaskPoller {

	/**
	 * A handle of a queue that knows its name and the type of its payloads. It creates
	 * nothing, so any number can be made.
	 * @param payloadType type of the payload, as handlers declare it
	 */
	default <T> TaskQueue<T> queue(String queue, Class<T> payloadType) {
		return new TaskQueue<>(this, queue, payloadType);
	}

	/** A handle of a queue with payloads of a generic type. */
	default <T> TaskQueue<T> queue(String queue, ParameterizedTypeReference<T> payloadType) {
		return new TaskQueue<>(this, queue, payloadType.getType());
	}

	/** As {@link #schedulePayload(String, Object, Duration)} does, due now. */
	default ScheduleResult schedulePayload(String queue, @Nullable Object payload) {
		return schedulePayload(queue, payload, Duration.ZERO);
	}

	/**
	 * Schedule a task under a generated id. If you want to cancel or move it by an id of
	 * your own, use {@link #schedule(String, String, Object, Duration)}, and where the
	 * handler needs only the id {@link #scheduleId(String, String, Duration)}.
	 * @param payload what the handler gets, written as JSON; {@code null} for none: it
	 * gets the id
	 * @param delay after what time it is due
	 * @return has the id: unique, and ordered by time of creation
	 */
	ScheduleResult schedulePayload(String queue, @Nullable Object payload, Duration delay);

	/** As {@link #schedulePayload(String, Object, Duration)} does, at an instant. */
	ScheduleResult schedulePayload(String queue, @Nullable Object payload, Instant dueAt);

	/** As {@link #schedulePayload(String, Object, Duration)} does, in a zone. */
	default ScheduleResult schedulePayload(String queue, @Nullable Object payload, ZonedDateTime dueAt) {
		return schedulePayload(queue, payload, dueAt.toInstant());
	}

	/**
	 * Schedule a task under an id of one's own, in place of any other of that id.
	 * @param taskId its id: up to 256 bytes of UTF-8 without control characters
	 * @param payload what the handler gets, written as JSON; {@code null} for none: it
	 * gets the id
	 * @param delay after what time it is due
	 */
	ScheduleResult schedule(String queue, String taskId, @Nullable Object payload, Duration delay);

	/** As {@link #schedule(String, String, Object, Duration)} does, at an instant. */
	ScheduleResult schedule(String queue, String taskId, @Nullable Object payload, Instant dueAt);

	/** As {@link #schedule(String, String, Object, Duration)} does, in a zone. */
	default ScheduleResult schedule(String queue, String taskId, @Nullable Object payload, ZonedDateTime dueAt) {
		return schedule(queue, taskId, payload, dueAt.toInstant());
	}

	/**
	 * As {@link #schedule(String, String, Object, Duration)} does, without a payload: the
	 * handler gets the id.
	 */
	default ScheduleResult scheduleId(String queue, String taskId, Duration delay) {
		return schedule(queue, taskId, null, delay);
	}

	/** As {@link #scheduleId(String, String, Duration)} does, at an instant. */
	default ScheduleResult scheduleId(String queue, String taskId, Instant dueAt) {
		return schedule(queue, taskId, null, dueAt);
	}

	/**
	 * Schedule a task with all possible settings.
	 * @param task sets what is to be set, as in
	 * {@code (task) -> task.id("order_123").payload(order).delay(delay)}
	 */
	default ScheduleResult schedule(String queue, Consumer<TaskRequest.Builder> task) {
		TaskRequest.Builder builder = TaskRequest.queue(queue);
		task.accept(builder);
		return schedule(builder.build());
	}

	/** Schedule a task. */
	ScheduleResult schedule(TaskRequest request);

	/**
	 * Remove a task that is scheduled or in flight. In flight, its handler may go on, but
	 * it will not be delivered again.
	 * @return whether there was such a task
	 */
	boolean cancel(String queue, String taskId);

	/**
	 * Move the due time of a scheduled task to a time from now.
	 * @return whether there was such a task and it is scheduled
	 */
	boolean reschedule(String queue, String taskId, Duration delay);

	/** As {@link #reschedule(String, String, Duration)} does, to an instant. */
	boolean reschedule(String queue, String taskId, Instant dueAt);

	/** As {@link #reschedule(String, String, Duration)} does, in a zone. */
	default boolean reschedule(String queue, String taskId, ZonedDateTime dueAt) {
		return reschedule(queue, taskId, dueAt.toInstant());
	}

}
