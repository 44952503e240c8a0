package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.Names;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.groups.RedisGroups;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/** Carries out the actions of {@link QueueManagement}. */
record QueueActions(TaskStore store, DelayQueueOperations operations, TaskSearch search, ListenerSwitch listeners,
		DeadTasks dead, QueueGroups groups) {

	private static final int DEFAULT_LIMIT = 1000;

	private static final int MAX_LIMIT = 10_000;

	ActionDescriptor perform(String queue, QueueAction action, RequestArguments arguments) {
		return switch (action) {
			case ALLOWED -> done(action, () -> {
			});
			case PAUSE -> arguments.has("group") ? this.groups.setPaused(queue, action, arguments)
					: done(action, () -> this.operations.pause(queue));
			case RESUME -> arguments.has("group") ? this.groups.setPaused(queue, action, arguments)
					: done(action, () -> this.operations.resume(queue));
			case RUN_NOW ->
				onTask(queue, action, arguments, (id) -> this.operations.reschedule(queue, id, Duration.ZERO));
			case RESCHEDULE -> onTask(queue, action, arguments, (id) -> reschedule(queue, id, arguments));
			case CANCEL -> arguments.has("group") ? this.groups.cancel(queue, arguments)
					: onTask(queue, action, arguments, (id) -> cancel(queue, id, arguments));
			case COPY -> copy(queue, arguments);
			case REDRIVE -> arguments.has("id")
					? onTask(queue, action, arguments, (id) -> this.dead.redriveOne(queue, id, arguments))
					: isStepwise(arguments) ? this.dead.redrive(queue, arguments) : redriveAll(queue, arguments);
			case DELETE ->
				arguments.has("id") ? onTask(queue, action, arguments, (id) -> deleteOne(queue, id, arguments))
						: isStepwise(arguments) ? this.dead.delete(queue, arguments) : deleteAll(queue, arguments);
			case START,
					STOP ->
				new ActionDescriptor(action.toString(), null, null,
						this.listeners.turn(queue, action == QueueAction.START, arguments.requireText("listener")),
						null, null);
			case FORGET -> done(action, () -> forget(queue));
			case ADOPT -> done(action, () -> this.store.requireRole(Incarnations.class).adopt(queue, ""));
		};
	}

	private static boolean isStepwise(RequestArguments arguments) {
		return DeadTasks.STEPWISE.stream().anyMatch(arguments::has);
	}

	private void forget(String queue) {
		if (this.listeners.queues().contains(queue)) {
			throw QueueRequestException.conflict(queue,
					"Queue '" + queue + "' is consumed by this instance, so it would appear again at once");
		}
		if (!this.operations.forget(queue)) {
			throw QueueRequestException.conflict(queue,
					"Queue '" + queue + "' has tasks, which may be dead or completed");
		}
	}

	private static ActionDescriptor done(QueueAction action, Runnable step) {
		step.run();
		return new ActionDescriptor(action.toString(), null, null, null, null, null);
	}

	private boolean cancel(String queue, String id, RequestArguments arguments) {
		arguments.allowOnly("'cancel' with an id", Set.of("id"));
		return this.operations.cancel(queue, id);
	}

	private boolean reschedule(String queue, String id, RequestArguments arguments) {
		Duration delay = arguments.duration("delay");
		Instant at = arguments.instant("at");
		if ((delay == null) == (at == null)) {
			throw arguments.invalid("To reschedule takes either 'delay' or 'at'");
		}
		return (delay != null) ? this.operations.reschedule(queue, id, delay)
				: this.operations.reschedule(queue, id, at);
	}

	/**
	 * A new task with the payload, headers and settings of another one, to be run once.
	 */
	private ActionDescriptor copy(String queue, RequestArguments arguments) {
		String id = arguments.taskId();
		StoredTask task = this.store.find(queue, id).orElseThrow(() -> QueueRequestException.noSuchTask(queue, id));
		Envelope envelope = this.search.read(task.envelope());
		if (envelope == null) {
			throw QueueRequestException.conflict(queue, "Task '" + Names.printable(id) + "' of queue '" + queue
					+ "' cannot be read, so it cannot be copied");
		}
		String json = envelope.payloadJson();
		TaskRequest.Builder copy = TaskRequest.queue(queue)
			.payload((json != null) ? new RawJson(json) : id)
			.priority(task.priority());
		envelope.headers().forEach(copy::header);
		RedisGroups groups = this.store.role(RedisGroups.class);
		if (groups != null) {
			groups.parts(queue, Objects.requireNonNull(task.envelope())).forEach(copy::with);
		}
		TaskOptions options = envelope.options();
		Optional.ofNullable(options.leaseDuration()).ifPresent(copy::leaseDuration);
		Optional.ofNullable(options.maxAttempts()).ifPresent(copy::maxAttempts);
		Optional.ofNullable(options.retryDelays())
			.ifPresent((delays) -> copy.retryDelays(delays.toArray(Duration[]::new)));
		Optional.ofNullable(options.expiresAfter()).ifPresent(copy::expiresAfter);
		return new ActionDescriptor(QueueAction.COPY.toString(), 1L, null, null, null,
				this.operations.schedule(copy.build()).taskId());
	}

	/** JSON that is written as it is. */
	record RawJson(@JsonValue @JsonRawValue String json) {

	}

	private ActionDescriptor onTask(String queue, QueueAction action, RequestArguments arguments,
			Predicate<String> step) {
		String id = arguments.taskId();
		if (step.test(id)) {
			return new ActionDescriptor(action.toString(), 1L, null, null, null, null);
		}
		TaskState state = this.operations.find(queue, id)
			.map(TaskDetails::state)
			.orElseThrow(() -> QueueRequestException.noSuchTask(queue, id));
		throw QueueRequestException.conflict(queue, "Task '" + Names.printable(id) + "' of queue '" + queue + "' is "
				+ state + ", to which '" + action + "' does not apply");
	}

	private ActionDescriptor redriveAll(String queue, RequestArguments arguments) {
		int limit = limit(arguments);
		DeadReason reason = arguments.reason();
		long tasks = (reason != null) ? this.operations.redrive(queue, reason, limit)
				: this.operations.redrive(queue, limit);
		return new ActionDescriptor(QueueAction.REDRIVE.toString(), tasks, this.operations.stats(queue).dead(), null,
				null, null);
	}

	private boolean deleteOne(String queue, String id, RequestArguments arguments) {
		arguments.allowOnly("'delete' with an id", Set.of("id"));
		return this.operations.delete(queue, id);
	}

	private ActionDescriptor deleteAll(String queue, RequestArguments arguments) {
		if (!arguments.has("state") && !arguments.has("reason")) {
			throw arguments.invalid("'delete' needs an id, or the state, the reason or the cause of the tasks");
		}
		TaskState state = arguments.state(TaskState.DEAD, TaskState.DEAD, TaskState.COMPLETED);
		DeadReason reason = arguments.reason();
		if (reason != null && state != TaskState.DEAD) {
			throw arguments.invalid("Only dead letters have a reason");
		}
		long tasks = (reason != null) ? this.operations.delete(queue, reason, limit(arguments))
				: this.operations.delete(queue, state, limit(arguments));
		QueueStats stats = this.operations.stats(queue);
		return new ActionDescriptor(QueueAction.DELETE.toString(), tasks,
				(state == TaskState.DEAD) ? stats.dead() : stats.completed(), null, null, null);
	}

	private static int limit(RequestArguments arguments) {
		return arguments.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
	}

}
