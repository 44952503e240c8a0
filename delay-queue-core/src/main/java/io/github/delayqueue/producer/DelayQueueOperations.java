package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;

/**
 * Schedules, cancels, looks up and redrives tasks. Implemented by
 * {@link DelayQueueTemplate}; an interface so that it can be replaced in users' tests.
 * Tasks go to Redis through a {@code RedisTemplate} on connections of the delay queue's
 * own; the application's templates and serializers have no part in it. Thread-safe.
 * <p>
 * <b>Errors</b>: every method throws {@link io.github.delayqueue.DelayQueueException} if
 * a queue name or task id is not allowed, if a payload cannot be written or is larger
 * than {@code delay-queue.producer.max-payload-size}, and if the store cannot be reached
 * or refuses. After a store error a task may or may not have been scheduled; with an id
 * of one's own, scheduling it again is harmless.
 * <p>
 * <b>Replicas</b>: if {@code delay-queue.producer.min-replicas} is set, the methods whose
 * names begin with {@code schedule} return only once that many replicas have the task,
 * and throw {@link NotReplicatedException} if they have not within
 * {@code delay-queue.command-timeout}: the task is stored then, and may run, but is not
 * safe. Nothing else waits: what {@link #reschedule}, {@link #cancel}, {@link #redrive}
 * or a handler's end has changed may be undone by a failover, so that a task is delivered
 * at its former time or once more.
 * <p>
 * <b>Time</b>: a delay counts by the store's clock. An instant that is past and a delay
 * that is zero or negative mean now. Rounded up to the millisecond.
 */
public interface DelayQueueOperations {

	/** All queues that have been used and not been forgotten. */
	Set<String> queues();

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
	 * Schedule a task without waiting. Calls made while others are under way share a
	 * round trip. The payload is written as JSON before this returns. At most 100,000
	 * tasks or 64 MiB wait to be sent; further tasks are refused. When the application
	 * stops, waiting tasks are sent.
	 * @return completes with the result, or with the exception that
	 * {@link #schedule(TaskRequest)} would throw, a refusal included. Dependent actions
	 * without an executor of their own run on one of the few threads that send: they
	 * should be short
	 */
	CompletableFuture<ScheduleResult> scheduleAsync(TaskRequest request);

	/**
	 * Schedule many tasks in few round trips. Not atomic as a whole: if it throws, the
	 * tasks of earlier chunks are scheduled, and, where ids are generated, possibly those
	 * of up to two chunks that were sent behind; the message says how many in all. Up to
	 * 2,000 tasks are checked and written as JSON before the first is sent: if one of so
	 * few cannot be written, none is scheduled. Of more, that many at most wait in
	 * memory.
	 * @param requests the tasks, of any queues
	 * @return the result of each, in the same order
	 * @throws NotReplicatedException after the first chunk that is stored but not on
	 * enough replicas; says which tasks those are, and which are stored and replicated.
	 * Later chunks are not sent: each would wait as long
	 */
	List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests);

	/**
	 * Remove a task that is scheduled or in flight. In flight, its handler may go on, but
	 * it will not be delivered again.
	 * @return whether there was such a task
	 */
	boolean cancel(String queue, String taskId);

	/**
	 * Remove tasks that are scheduled or in flight, one step after the other. If it
	 * throws, some are cancelled; the message says how many. Repeating it is harmless.
	 * @param taskIds the tasks, at most 500
	 * @return those that there were, in the same order
	 */
	List<String> cancelAll(String queue, Collection<String> taskIds);

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

	/** Look up a task: as it is now, empty if there is none. */
	Optional<TaskDetails> find(String queue, String taskId);

	/**
	 * Look at the tasks of one state: scheduled ones by due time, those in flight by
	 * lease deadline, completed and dead ones by when they became so.
	 * @param offset how many to skip, at most 10,000
	 * @param limit how many to return at most, 1 to 500
	 */
	List<TaskDetails> list(String queue, TaskState state, int offset, int limit);

	/**
	 * Look at the tasks that are due, and take none of them: scheduled ones whose time
	 * has come by the clock of the store, by due time. Consumers take them meanwhile, by
	 * priority; to take some by hand, {@linkplain #poll(String, int, Duration) poll}.
	 * @param offset how many to skip, at most 10,000
	 * @param limit how many to return at most, 1 to 500
	 */
	List<TaskDetails> listDue(String queue, int offset, int limit);

	/** The figures of a queue, all zero if there is none of that name. */
	QueueStats stats(String queue);

	/**
	 * Schedule dead letters again, due now, the longest dead first. Counts start at zero,
	 * the last failure stays visible until the task is handled. A sequence of steps, for
	 * no more tasks than are dead when it begins; ids without a record are passed over.
	 * @param limit how many at most, at least 1
	 * @return how many
	 */
	long redrive(String queue, int limit);

	/**
	 * Schedule dead letters again as {@link #redrive(String, int)} does, those that died
	 * of a reason. Looks at all dead letters, a page at a time, until it has as many.
	 */
	long redrive(String queue, DeadReason reason, int limit);

	/**
	 * Schedule a dead letter again, due now.
	 * @return whether it was dead
	 */
	boolean redrive(String queue, String taskId);

	/**
	 * Delete a task that is dead or completed. It is not delivered again, and its id is
	 * free. One that is not over stays: {@link #cancel} is for those.
	 * @return whether a dead or completed task was deleted
	 */
	boolean delete(String queue, String taskId);

	/**
	 * Delete tasks that are over, the oldest first. A sequence of steps.
	 * @param state {@link TaskState#DEAD} or {@link TaskState#COMPLETED}
	 * @param limit how many at most, at least 1
	 * @return how many
	 */
	long delete(String queue, TaskState state, int limit);

	/**
	 * Delete dead letters as {@link #delete(String, TaskState, int)} does, those that
	 * died of a reason. Looks at all dead letters, a page at a time, until it has as
	 * many.
	 */
	long delete(String queue, DeadReason reason, int limit);

	/**
	 * Deliver nothing more from a queue, on any instance, until it is resumed. Handlers
	 * that run go on; scheduling goes on.
	 */
	void pause(String queue);

	/** End a pause. */
	void resume(String queue);

	/**
	 * Forget a queue that is no longer used: its name, totals and pause. If it is used
	 * again, it is known again, with totals of zero.
	 * @return whether it is forgotten; {@code false}, and nothing is changed, if there
	 * are tasks in it, dead and completed ones included
	 */
	boolean forget(String queue);

	/**
	 * Clear a queue: remove all its tasks, in whatever state.
	 * @return how many were scheduled, in flight or dead
	 */
	long clear(String queue);

	/**
	 * Claim due tasks by hand, without a listener. The caller settles each of them before
	 * the time to run is over, or it is delivered again. Does not wait. Tasks that have
	 * expired, or have lost as many leases as they may ({@code retry.max-lease-losses}),
	 * become dead and are not among them; of those that may lose one more, at most one of
	 * each partition is. Tasks that a later version of the library has written are handed
	 * back for ten seconds at a time. The caller bounds how often a task may fail.
	 * @param limit how many at most, 1 to 500
	 * @param leaseDuration how long the leases last, at least a millisecond, whatever the
	 * tasks themselves say
	 * @return the tasks, empty if none is due
	 */
	List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration);

	/**
	 * Claim due tasks as {@link #poll(String, int, Duration)} does, and wait for the
	 * first if none is due. A task that is scheduled or becomes due meanwhile is returned
	 * at once. The calling thread waits; no other is kept for it. It asks the store no
	 * more often than a listener does: when the next task becomes due, when a wake
	 * message comes, and each {@code listener.poll-interval}. Do not wait within a
	 * transaction: it would stay open.
	 * <p>
	 * When the application stops, a wait ends without a task, and a later call throws
	 * {@link io.github.delayqueue.DelayQueueException}, so that a loop ends.
	 * @param limit how many at most, 1 to 500
	 * @param leaseDuration from when they are claimed
	 * @param maxWait how long to wait at most: zero, for not at all, to 36500 days
	 * @return the tasks, empty if none has become due in that time
	 * @throws InterruptedException if the thread is interrupted. Tasks that it was just
	 * claiming are delivered again when their leases run out
	 */
	List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration, Duration maxWait)
			throws InterruptedException;

}
