package io.github.delayqueue.migration;

import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.TaskStore;

/**
 * The queues that entries are moved to. A task is <em>parked</em> first, due at the end
 * of time, and gets its due time when it is certain that its entry will not be moved
 * again: so a task cannot have been handled and forgotten while its entry may still be
 * made a task. Public for wiring. Thread-safe.
 */
public final class Destination {

	/** When parked tasks are due. */
	static final Instant PARKED = Instant.parse("9999-12-31T00:00:00Z");

	private final DelayQueueOperations operations;

	private final TaskStore store;

	private final TaskCodec codec;

	private final ToLongFunction<String> maxPayloadBytes;

	/**
	 * Create a destination.
	 * @param operations schedules
	 * @param store where they schedule, for what depends on when a task is due
	 * @param codec writes payloads
	 * @param maxPayloadBytes how large a payload may be, as JSON, by queue
	 */
	public Destination(DelayQueueOperations operations, TaskStore store, TaskCodec codec,
			ToLongFunction<String> maxPayloadBytes) {
		this.operations = operations;
		this.store = store;
		this.codec = codec;
		this.maxPayloadBytes = maxPayloadBytes;
	}

	/**
	 * Make a request that can be {@linkplain #park parked}.
	 * @param builder a task with an id
	 * @return the request
	 * @throws DelayQueueException if its payload cannot be written, or it recurs in steps
	 */
	TaskRequest request(TaskRequest.Builder builder) {
		TaskRequest request = builder.dueAt(PARKED).onDuplicate(DuplicatePolicy.REJECT).build();
		Recurrence recurrence = request.recurrence();
		if (recurrence != null && recurrence.period() != null) {
			throw new DelayQueueException(request.queue(), request.id(),
					"A task that is moved cannot recur by every(…), only by a cron expression: its steps would be "
							+ "counted from the year 9999, until when it is parked");
		}
		this.codec.writeEnvelope(request.queue(), String.valueOf(request.id()), request.toPayload(), request.headers(),
				request.options(), this.maxPayloadBytes.applyAsLong(request.queue()));
		return request;
	}

	/**
	 * Store tasks whose ids are not known, without any of them becoming due.
	 * @param requests the tasks
	 * @return what became of each
	 */
	List<ScheduleResult> park(List<TaskRequest> requests) {
		return this.operations.scheduleAll(requests);
	}

	/**
	 * Whether a task is there and parked.
	 * @param queue the queue
	 * @param taskId its id
	 * @return whether it is
	 */
	boolean isParked(String queue, String taskId) {
		return this.operations.find(queue, taskId)
			.filter((task) -> task.state() == TaskState.SCHEDULED && PARKED.equals(task.dueAt()))
			.isPresent();
	}

	/**
	 * Give a task its due time if it is still parked. If it is not, somebody has
	 * cancelled, replaced or moved it, or it has got its due time before.
	 * @param queue the queue
	 * @param taskId its id
	 * @param dueAt when it is due, in the past for now
	 */
	void release(String queue, String taskId, Instant dueAt) {
		this.store.rescheduleIfDueAt(queue, taskId, PARKED, DueTime.at(dueAt));
	}

	/**
	 * Remove a task if it is still parked.
	 * @param queue the queue
	 * @param taskId its id
	 */
	void remove(String queue, String taskId) {
		this.store.cancelIfDueAt(queue, taskId, PARKED);
	}

}
