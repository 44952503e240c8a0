package io.github.delayqueue.console;

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
	 * All queues that the store knows or this instance consumes, tasks of all queues, or
	 * the instances: see {@link QueueManagement#view(Map)}. The store is asked once for
	 * the names and once for each queue that is shown.
	 */
	@ReadOperation
	public OperationResponseBody queues(@Nullable String search, @Nullable String offset, @Nullable String limit,
			@Nullable String id, @Nullable String recurring, @Nullable String cursor, @Nullable String view,
			@Nullable String sort, @Nullable String since) {
		return this.management.view(RequestArguments.named("search", search, "offset", offset, "limit", limit, "id", id,
				"recurring", recurring, "cursor", cursor, "view", view, "sort", sort, "since", since));
	}

	@ReadOperation
	public QueueEntry queue(@Selector String queue) {
		return this.management.queue(queue);
	}

	/**
	 * A closer view of one queue: see
	 * {@link QueueManagement#view(String, String, Map, SecurityContext)}. A payload is
	 * shown only where payloads are shown always.
	 */
	@ReadOperation
	public OperationResponseBody view(@Selector String queue, @Selector String view, @Nullable String state,
			@Nullable String offset, @Nullable String limit, @Nullable String id, @Nullable String cursor,
			@Nullable String range, @Nullable String hours, @Nullable String cause, @Nullable String until,
			@Nullable String text, @Nullable String header) {
		return this.management.view(queue, view,
				RequestArguments.named("state", state, "offset", offset, "limit", limit, "id", id, "cursor", cursor,
						"range", range, "hours", hours, "cause", cause, "until", until, "text", text, "header", header),
				SecurityContext.NONE);
	}

	/**
	 * Change one queue, or a task of it: see {@link QueueManagement#act}. Not available
	 * until {@code management.endpoint.delayqueue.access=unrestricted}.
	 */
	@WriteOperation
	public OperationResponseBody perform(@Selector String queue, @Nullable String action, @Nullable String id,
			@Nullable String delay, @Nullable String at, @Nullable String state, @Nullable String reason,
			@Nullable String cause, @Nullable String until, @Nullable String spread, @Nullable String limit,
			@Nullable String cursor, @Nullable String listener, @Nullable String group) {
		return this.management.act(queue, action,
				RequestArguments.named("id", id, "delay", delay, "at", at, "state", state, "reason", reason, "cause",
						cause, "until", until, "spread", spread, "limit", limit, "cursor", cursor, "listener", listener,
						"group", group),
				SecurityContext.NONE);
	}

	QueueManagement management() {
		return this.management;
	}

}
