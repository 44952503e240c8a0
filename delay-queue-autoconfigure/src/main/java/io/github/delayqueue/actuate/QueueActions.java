package io.github.delayqueue.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.BooleanSupplier;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.Names;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.store.DueSpan;

/**
 * Carries out the actions of {@link QueueManagement}.
 */
final class QueueActions {

	private static final int DEFAULT_LIMIT = 1000;

	private static final int MAX_LIMIT = 10_000;

	private final DelayQueueOperations operations;

	private final ListenerSwitch listeners;

	private final QueueChecks checks;

	private final DeadTasks dead;

	QueueActions(DelayQueueOperations operations, ListenerSwitch listeners, QueueChecks checks, DeadTasks dead) {
		this.dead = dead;
		this.operations = operations;
		this.listeners = listeners;
		this.checks = checks;
	}

	OperationResponseBody perform(String queue, QueueAction action, RequestArguments arguments) {
		return switch (action) {
			case PAUSE -> done(action, () -> this.operations.pause(queue));
			case RESUME -> done(action, () -> this.operations.resume(queue));
			case RUN_NOW -> runNow(queue, arguments.taskId());
			case RESCHEDULE -> reschedule(queue, arguments);
			case CANCEL -> cancel(queue, arguments.taskId());
			case REDRIVE -> arguments.has("id") ? redriveOne(queue, arguments)
					: isStepwise(arguments) ? this.dead.redrive(queue, arguments) : redriveAll(queue, arguments);
			case PURGE -> isStepwise(arguments) ? this.dead.purge(queue, arguments) : purge(queue, arguments);
			case DELETE -> delete(queue, arguments.taskId());
			case START, STOP -> new ActionDescriptor(action.toString(), null, null, this.listeners.turn(queue,
					action == QueueAction.START, arguments.requireText("listener"), arguments.text("instance")));
			case REPAIR -> this.checks.repair(queue, arguments);
			case FORGET -> forget(queue);
		};
	}

	private static boolean isStepwise(RequestArguments arguments) {
		return DeadTasks.STEPWISE.stream().anyMatch(arguments::has);
	}

	private ActionDescriptor forget(String queue) {
		if (this.listeners.queues().contains(queue)) {
			throw QueueRequestException.conflict(queue,
					"Queue '" + queue + "' is consumed by this instance, so it would appear again at once");
		}
		if (!this.operations.forget(queue)) {
			throw QueueRequestException.conflict(queue,
					"Queue '" + queue + "' has a journal, or tasks that may be dead or completed");
		}
		return new ActionDescriptor(QueueAction.FORGET.toString(), null, null, null);
	}

	private static ActionDescriptor done(QueueAction action, Runnable step) {
		step.run();
		return new ActionDescriptor(action.toString(), null, null, null);
	}

	private ActionDescriptor runNow(String queue, String id) {
		return onTask(queue, QueueAction.RUN_NOW, id, () -> this.operations.reschedule(queue, id, Duration.ZERO));
	}

	private ActionDescriptor reschedule(String queue, RequestArguments arguments) {
		String id = arguments.taskId();
		Duration delay = arguments.delay();
		Instant at = arguments.at();
		if ((delay == null) == (at == null)) {
			throw arguments.invalid("To reschedule takes either 'delay' or 'at'");
		}
		return onTask(queue, QueueAction.RESCHEDULE, id, () -> (delay != null)
				? this.operations.reschedule(queue, id, delay) : this.operations.reschedule(queue, id, at));
	}

	private ActionDescriptor cancel(String queue, String id) {
		return onTask(queue, QueueAction.CANCEL, id, () -> this.operations.cancel(queue, id));
	}

	private ActionDescriptor delete(String queue, String id) {
		return onTask(queue, QueueAction.DELETE, id, () -> this.operations.delete(queue, id));
	}

	private ActionDescriptor redriveOne(String queue, RequestArguments arguments) {
		String id = arguments.taskId();
		arguments.allowOnly("'redrive' with an id", Set.of("id", "delay"));
		DueSpan due = arguments.span();
		return onTask(queue, QueueAction.REDRIVE, id, () -> this.dead.redrive(queue, id, due));
	}

	private ActionDescriptor onTask(String queue, QueueAction action, String id, BooleanSupplier step) {
		if (step.getAsBoolean()) {
			return new ActionDescriptor(action.toString(), 1L, null, null);
		}
		TaskState state = this.operations.find(queue, id)
			.map(TaskDetails::state)
			.orElseThrow(() -> QueueRequestException.noSuchTask(queue, id));
		throw QueueRequestException.conflict(queue, "Task '" + Names.printable(id) + "' of queue '" + queue + "' is "
				+ state + ", for which '" + action + "' is not meant");
	}

	private ActionDescriptor redriveAll(String queue, RequestArguments arguments) {
		int limit = limit(arguments);
		DeadReason reason = arguments.reason();
		long tasks = (reason != null) ? this.operations.redrive(queue, reason, limit)
				: this.operations.redrive(queue, limit);
		return new ActionDescriptor(QueueAction.REDRIVE.toString(), tasks, this.operations.stats(queue).dead(), null);
	}

	private ActionDescriptor purge(String queue, RequestArguments arguments) {
		TaskState state = arguments.state(TaskState.DEAD, TaskState.DEAD, TaskState.COMPLETED);
		DeadReason reason = arguments.reason();
		if (reason != null && state != TaskState.DEAD) {
			throw arguments.invalid("Only dead tasks have a reason");
		}
		long tasks = (reason != null) ? this.operations.purge(queue, reason, limit(arguments))
				: this.operations.purge(queue, state, limit(arguments));
		QueueStats stats = this.operations.stats(queue);
		return new ActionDescriptor(QueueAction.PURGE.toString(), tasks,
				(state == TaskState.DEAD) ? stats.dead() : stats.completed(), null);
	}

	private static int limit(RequestArguments arguments) {
		return arguments.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
	}

}
