package io.github.delayqueue.actuate;

import java.util.Map;
import java.util.Set;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/**
 * The endpoint {@code delayqueue}: queues and tasks, true over all instances, with the
 * listeners of this instance, and what can be done to them. This is what JMX serves; over
 * the web it is {@link DelayQueueEndpointWebExtension}. All arguments are text, so that
 * what is wrong with one can be said in a sentence. Public for applications that expose
 * it in their own way. Thread-safe.
 * <p>
 * Every operation throws {@link QueueRequestException} if there is no such queue, view,
 * task or listener, if an argument is not allowed, and if the store cannot be reached or
 * refuses.
 */
// Spring Boot 3 takes only parameters with Spring's own @Nullable for optional
@SuppressWarnings("deprecation")
@Endpoint(id = "delayqueue", defaultAccess = Access.READ_ONLY)
public class DelayQueueEndpoint {

	private final QueueManagement management;

	public DelayQueueEndpoint(QueueManagement management) {
		this.management = management;
	}

	/**
	 * All queues that the store knows or this instance consumes, or tasks of all queues.
	 * The store is asked once for the names and once for each queue that is shown.
	 * @param search what the names contain, in any case; {@code null} for all
	 * @param offset how many queues to skip
	 * @param limit how many queues to show, or to look at for tasks, at most
	 * @param id the task to look for in all queues, instead of the queues
	 * @param recurring {@code true} for recurring tasks, instead of the queues
	 * @param cursor of tasks: where to go on, as the last result says
	 * @param view {@code instances} for the instances that consume queues, instead of the
	 * queues
	 * @return a {@link QueuesDescriptor}, {@link FoundTasksDescriptor} or
	 * {@link InstancesDescriptor}
	 * @see QueueManagement#view(Map)
	 */
	@ReadOperation
	public OperationResponseBody queues(@Nullable String search, @Nullable String offset, @Nullable String limit,
			@Nullable String id, @Nullable String recurring, @Nullable String cursor, @Nullable String view) {
		return this.management.view(RequestArguments.named("search", search, "offset", offset, "limit", limit, "id", id,
				"recurring", recurring, "cursor", cursor, "view", view));
	}

	/**
	 * One queue.
	 * @param queue its name
	 * @return the queue
	 */
	@ReadOperation
	public QueueEntry queue(@Selector String queue) {
		return this.management.queue(queue);
	}

	/**
	 * A closer view of one queue: {@code tasks}, those of a state or a single one;
	 * {@code dead}, what the dead ones have died of; {@code check}, whether each task is
	 * in exactly one place, a part of the queue at a time; {@code forecast}, how many
	 * tasks fall due when; or {@code history}, what has happened by the hour. A payload
	 * is shown only where payloads are shown always.
	 * @param queue the queue
	 * @param view what to look at
	 * @param state of {@code tasks}: the state
	 * @param offset of {@code tasks}: how many to skip
	 * @param limit how many tasks, or entries to check, at most
	 * @param id of {@code tasks}: the task to show, instead of those of a state
	 * @param cursor of {@code check} and of tasks of a cause: where to go on, as the last
	 * result says
	 * @param range of {@code forecast}: {@code hour}, {@code day} or {@code month}
	 * @param hours of {@code history}: how many hours beside the present one
	 * @param cause of {@code tasks}: what they have died of
	 * @param until of tasks of a cause: since when they are dead at the latest
	 * @return a {@link TasksDescriptor}, {@link TaskDescriptor}, {@link DeadDescriptor},
	 * {@link CheckDescriptor}, {@link ForecastDescriptor} or {@link HistoryDescriptor}
	 * @see QueueManagement#view(String, String, Map, SecurityContext)
	 */
	@ReadOperation
	public OperationResponseBody view(@Selector String queue, @Selector String view, @Nullable String state,
			@Nullable String offset, @Nullable String limit, @Nullable String id, @Nullable String cursor,
			@Nullable String range, @Nullable String hours, @Nullable String cause, @Nullable String until) {
		return this.management.view(queue, view,
				arguments(state, offset, limit, id, cursor, range, hours, cause, until), SecurityContext.NONE);
	}

	static Map<String, String> arguments(@Nullable String state, @Nullable String offset, @Nullable String limit,
			@Nullable String id, @Nullable String cursor, @Nullable String range, @Nullable String hours,
			@Nullable String cause, @Nullable String until) {
		return RequestArguments.named("state", state, "offset", offset, "limit", limit, "id", id, "cursor", cursor,
				"range", range, "hours", hours, "cause", cause, "until", until);
	}

	/**
	 * Change one queue, or a task of it. Not available until
	 * {@code management.endpoint.delayqueue.access=unrestricted}.
	 * @param queue the queue
	 * @param action what to do
	 * @param id the task
	 * @param delay after what time a task is due, or the first of those that are redriven
	 * @param at when a task is due
	 * @param state whether dead or completed tasks are purged
	 * @param reason why dead tasks that are redriven or purged have died
	 * @param cause of what they have died, to redrive or purge some at a time
	 * @param until since when they are dead at the latest
	 * @param spread over what time redriven tasks fall due
	 * @param limit how many tasks, or entries to repair, at most
	 * @param cursor where to go on, as the last result says
	 * @param listener the listener to start or stop
	 * @param instance the id of the instance that has it, {@code null} for this one
	 * @return an {@link ActionDescriptor} or {@link CheckDescriptor}
	 * @see QueueManagement#act
	 */
	@WriteOperation
	public OperationResponseBody perform(@Selector String queue, @Nullable String action, @Nullable String id,
			@Nullable String delay, @Nullable String at, @Nullable String state, @Nullable String reason,
			@Nullable String cause, @Nullable String until, @Nullable String spread, @Nullable String limit,
			@Nullable String cursor, @Nullable String listener, @Nullable String instance) {
		return perform(queue, action, id, delay, at, state, reason, cause, until, spread, limit, cursor, listener,
				instance, SecurityContext.NONE);
	}

	OperationResponseBody perform(String queue, @Nullable String action, @Nullable String id, @Nullable String delay,
			@Nullable String at, @Nullable String state, @Nullable String reason, @Nullable String cause,
			@Nullable String until, @Nullable String spread, @Nullable String limit, @Nullable String cursor,
			@Nullable String listener, @Nullable String instance, SecurityContext user) {
		return this.management.act(queue, action,
				RequestArguments.named("id", id, "delay", delay, "at", at, "state", state, "reason", reason, "cause",
						cause, "until", until, "spread", spread, "limit", limit, "cursor", cursor, "listener", listener,
						"instance", instance),
				user);
	}

	QueueManagement management() {
		return this.management;
	}

}
