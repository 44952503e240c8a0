package io.github.delayqueue.console;

import java.util.Map;
import java.util.function.Supplier;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * {@code /actuator/delayqueue}: {@link DelayQueueEndpoint} over the web, where what
 * cannot be done has a status and a sentence ({@code {"error": "…"}}), and where it is
 * known who asks. {@link SentArguments} hands it what was sent. Blocks the thread that
 * calls it; for reactive applications there is
 * {@link ReactiveDelayQueueEndpointWebExtension}. Public for applications that expose it
 * in their own way. Thread-safe.
 */
// Spring Boot 3 takes only parameters with Spring's own @Nullable for optional
@SuppressWarnings("deprecation")
@EndpointWebExtension(endpoint = DelayQueueEndpoint.class)
public class DelayQueueEndpointWebExtension {

	private final DelayQueueEndpoint delegate;

	public DelayQueueEndpointWebExtension(DelayQueueEndpoint delegate) {
		this.delegate = delegate;
	}

	@ReadOperation
	public WebEndpointResponse<?> queues(@Nullable Map<String, Object> arguments) {
		return respond(() -> this.delegate.management().view(RequestArguments.texts(null, arguments)));
	}

	@ReadOperation
	public WebEndpointResponse<?> queue(@Selector String queue) {
		return respond(() -> this.delegate.queue(queue));
	}

	/** See {@link DelayQueueEndpoint#view}; payloads are shown to whom they may be. */
	@ReadOperation
	public WebEndpointResponse<?> view(SecurityContext user, @Selector String queue, @Selector String view,
			@Nullable Map<String, Object> arguments) {
		return respond(
				() -> this.delegate.management().view(queue, view, RequestArguments.texts(queue, arguments), user));
	}

	/** One of what a view has: a task, by an id that can stand in a path. */
	@ReadOperation
	public WebEndpointResponse<?> entry(SecurityContext user, @Selector String queue, @Selector String view,
			@Selector String entry, @Nullable Map<String, Object> arguments) {
		return respond(() -> {
			Map<String, String> texts = RequestArguments.texts(queue, arguments);
			if (!"tasks".equals(view)) {
				throw QueueRequestException.notFound(queue, "Only 'tasks' has entries: tasks, by their ids");
			}
			texts.put("id", entry);
			return this.delegate.management().view(queue, view, texts, user);
		});
	}

	@WriteOperation
	public WebEndpointResponse<?> perform(SecurityContext user, @Selector String queue,
			@Nullable Map<String, Object> arguments) {
		return respond(() -> {
			Map<String, String> texts = RequestArguments.texts(queue, arguments);
			String action = texts.remove("action");
			return this.delegate.management().act(queue, action, texts, user);
		});
	}

	private static WebEndpointResponse<?> respond(Supplier<?> operation) {
		try {
			return new WebEndpointResponse<>(operation.get());
		}
		catch (QueueRequestException ex) {
			return refusal(ex.getStatus(), String.valueOf(ex.getMessage()));
		}
	}

	static WebEndpointResponse<?> refusal(int status, String sentence) {
		return new WebEndpointResponse<>(Map.of("error", sentence), status);
	}

}
