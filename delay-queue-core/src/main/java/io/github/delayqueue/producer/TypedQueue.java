package io.github.delayqueue.producer;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.Names;
import io.github.delayqueue.QueueStats;

/**
 * Passes calls on to the operations.
 *
 * @param payloadType as what payloads are written; {@code null} for the class that each
 * is an object of
 * @param <T> type of the payload
 */
record TypedQueue<T>(DelayQueueOperations operations, String name,
		@Nullable Type payloadType) implements TaskQueue<T>, AopInfrastructureBean {

	TypedQueue {
		Names.requireQueue(name);
		// written as its class, an object of a subclass would lose what that adds
		payloadType = (payloadType instanceof Class) ? null : payloadType;
	}

	@Override
	public ScheduleResult schedule(String taskId, T payload, Duration delay) {
		return this.operations.schedule(request(taskId, payload).delay(delay).build());
	}

	@Override
	public ScheduleResult schedule(String taskId, T payload, Instant dueAt) {
		return this.operations.schedule(request(taskId, payload).dueAt(dueAt).build());
	}

	private TaskRequest.Builder request(String taskId, T payload) {
		Objects.requireNonNull(payload, "payload must not be null");
		return TaskRequest.queue(this.name).id(taskId).payload(payload, this.payloadType);
	}

	@Override
	public ScheduleResult schedule(Consumer<TaskRequest.Builder> task) {
		return this.operations.schedule(this.name, task);
	}

	@Override
	public boolean cancel(String taskId) {
		return this.operations.cancel(this.name, taskId);
	}

	@Override
	public boolean reschedule(String taskId, Duration delay) {
		return this.operations.reschedule(this.name, taskId, delay);
	}

	@Override
	public boolean reschedule(String taskId, Instant dueAt) {
		return this.operations.reschedule(this.name, taskId, dueAt);
	}

	@Override
	public Optional<TaskDetails> find(String taskId) {
		return this.operations.find(this.name, taskId);
	}

	@Override
	public QueueStats stats() {
		return this.operations.stats(this.name);
	}

	@Override
	public List<ClaimedTask> poll(int limit, Duration leaseDuration) {
		return this.operations.poll(this.name, limit, leaseDuration);
	}

	@Override
	public List<ClaimedTask> poll(int limit, Duration leaseDuration, Duration maxWait) throws InterruptedException {
		return this.operations.poll(this.name, limit, leaseDuration, maxWait);
	}

	@Override
	public String toString() {
		return "Queue '" + this.name + "'";
	}

}
