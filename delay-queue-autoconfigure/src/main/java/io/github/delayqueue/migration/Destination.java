package io.github.delayqueue.migration;

import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.DuplicatePolicy;

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

	private final TaskCodec codec;

	private final ToLongFunction<String> maxPayloadBytes;

	/**
	 * Create a destination.
	 * @param operations schedules
	 * @param codec writes payloads
	 * @param maxPayloadBytes how large a payload may be, as JSON, by queue
	 */
	public Destination(DelayQueueOperations operations, TaskCodec codec, ToLongFunction<String> maxPayloadBytes) {
		this.operations = operations;
		this.codec = codec;
		this.maxPayloadBytes = maxPayloadBytes;
	}

	/**
	 * Make a request that can be {@linkplain #park parked}.
	 * @param builder a task with an id
	 * @return the request
	 * @throws io.github.delayqueue.DelayQueueException if its payload cannot be written
	 */
	TaskRequest request(TaskRequest.Builder builder) {
		TaskRequest request = builder.dueAt(PARKED).onDuplicate(DuplicatePolicy.REJECT).build();
		this.codec.writeEnvelope(request.queue(), String.valueOf(request.id()), request.hasPayload(), request.payload(),
				request.headers(), request.options(), this.maxPayloadBytes.applyAsLong(request.queue()));
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
	 * Give a parked task its due time. If it is gone, somebody has cancelled it.
	 * @param queue the queue
	 * @param taskId its id
	 * @param dueAt when it is due, in the past for now
	 */
	void release(String queue, String taskId, Instant dueAt) {
		this.operations.reschedule(queue, taskId, dueAt);
	}

	/**
	 * Remove a parked task.
	 * @param queue the queue
	 * @param taskId its id
	 */
	void remove(String queue, String taskId) {
		this.operations.cancel(queue, taskId);
	}

}
