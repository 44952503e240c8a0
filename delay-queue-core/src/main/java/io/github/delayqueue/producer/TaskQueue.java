package io.github.delayqueue.producer;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.Names;
import io.github.delayqueue.QueueStats;

/**
 * One queue, with the type of its payloads. Made by
 * {@link DelayQueueOperations#queue(String, Class)}, which it passes all calls on to:
 * errors, replicas and transactions are the same. Thread-safe; costs nothing, and creates
 * nothing in the store.
 * <p>
 * The id comes first and is never optional, so that no text is taken for the payload by
 * mistake. For a generated one use {@link #schedule(Consumer)}.
 *
 * @param payloadType as what payloads are written; {@code null} for the class that each
 * is an object of
 * @param <T> type of the payload, as handlers declare it
 */
public record TaskQueue<T>(DelayQueueOperations operations, String name,
		@Nullable Type payloadType) implements AopInfrastructureBean {

	public TaskQueue {
		Names.requireQueue(name);
		// written as its class, an object of a subclass would lose what that adds
		payloadType = (payloadType instanceof Class) ? null : payloadType;
	}

	/**
	 * Schedule a task, in place of any other of that id.
	 * @param taskId its id: up to 256 bytes of UTF-8 without control characters
	 * @param payload what the handler gets, written as JSON
	 * @param delay after what time it is due
	 */
	public ScheduleResult schedule(String taskId, T payload, Duration delay) {
		return this.operations.schedule(request(taskId, payload).delay(delay).build());
	}

	/** Schedule a task at an instant, in place of any other of that id. */
	public ScheduleResult schedule(String taskId, T payload, Instant dueAt) {
		return this.operations.schedule(request(taskId, payload).dueAt(dueAt).build());
	}

	/** Schedule a task at a date and time in a zone, in place of any other of that id. */
	public ScheduleResult schedule(String taskId, T payload, ZonedDateTime dueAt) {
		return schedule(taskId, payload, dueAt.toInstant());
	}

	private TaskRequest.Builder request(String taskId, T payload) {
		Objects.requireNonNull(payload, "payload must not be null");
		return TaskRequest.queue(this.name).id(taskId).payload(payload, this.payloadType);
	}

	/**
	 * Schedule a task with all possible settings.
	 * @param task sets what is to be set, as in {@code (task) ->
	 * task.payload(order).priority(TaskPriority.HIGH)}
	 */
	public ScheduleResult schedule(Consumer<TaskRequest.Builder> task) {
		return this.operations.schedule(this.name, task);
	}

	/** As {@link DelayQueueOperations#cancel} does. */
	public boolean cancel(String taskId) {
		return this.operations.cancel(this.name, taskId);
	}

	/** As {@link DelayQueueOperations#reschedule(String, String, Duration)} does. */
	public boolean reschedule(String taskId, Duration delay) {
		return this.operations.reschedule(this.name, taskId, delay);
	}

	/** As {@link #reschedule(String, Duration)} does, to an instant. */
	public boolean reschedule(String taskId, Instant dueAt) {
		return this.operations.reschedule(this.name, taskId, dueAt);
	}

	/** As {@link #reschedule(String, Duration)} does, in a zone. */
	public boolean reschedule(String taskId, ZonedDateTime dueAt) {
		return reschedule(taskId, dueAt.toInstant());
	}

	/** Look up a task: as it is now, empty if there is none. */
	public Optional<TaskDetails> find(String taskId) {
		return this.operations.find(this.name, taskId);
	}

	/** The figures of the queue. */
	public QueueStats stats() {
		return this.operations.stats(this.name);
	}

	/** As {@link DelayQueueOperations#poll(String, int, Duration)} does. */
	public List<ClaimedTask> poll(int limit, Duration leaseDuration) {
		return this.operations.poll(this.name, limit, leaseDuration);
	}

	/** As {@link DelayQueueOperations#poll(String, int, Duration, Duration)} does. */
	public List<ClaimedTask> poll(int limit, Duration leaseDuration, Duration maxWait) throws InterruptedException {
		return this.operations.poll(this.name, limit, leaseDuration, maxWait);
	}

	@Override
	public String toString() {
		return "Queue '" + this.name + "'";
	}

}
