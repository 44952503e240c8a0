package io.github.delayqueue.actuate;

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
 * known who asks. Public for applications that expose it in their own way. Thread-safe.
 */
@SuppressWarnings("deprecation")
@EndpointWebExtension(endpoint = DelayQueueEndpoint.class)
public class DelayQueueEndpointWebExtension {

	private final DelayQueueEndpoint delegate;

	public DelayQueueEndpointWebExtension(DelayQueueEndpoint delegate) {
		this.delegate = delegate;
	}

	@ReadOperation
	public WebEndpointResponse<?> queues(@Nullable String search, @Nullable String offset, @Nullable String limit,
			@Nullable String id, @Nullable String recurring, @Nullable String cursor, @Nullable String view) {
		return respond(() -> this.delegate.queues(search, offset, limit, id, recurring, cursor, view));
	}

	@ReadOperation
	public WebEndpointResponse<?> queue(@Selector String queue) {
		return respond(() -> this.delegate.queue(queue));
	}

	@ReadOperation
	public WebEndpointResponse<?> view(SecurityContext user, @Selector String queue, @Selector String view,
			@Nullable String state, @Nullable String offset, @Nullable String limit, @Nullable String id,
			@Nullable String cursor, @Nullable String range, @Nullable String hours, @Nullable String cause,
			@Nullable String until) {
		Map<String, String> arguments = DelayQueueEndpoint.arguments(state, offset, limit, id, cursor, range, hours,
				cause, until);
		return respond(() -> this.delegate.management().view(queue, view, arguments, user));
	}

	@WriteOperation
	public WebEndpointResponse<?> perform(SecurityContext user, @Selector String queue, @Nullable String action,
			@Nullable String id, @Nullable String delay, @Nullable String at, @Nullable String state,
			@Nullable String reason, @Nullable String cause, @Nullable String until, @Nullable String spread,
			@Nullable String limit, @Nullable String cursor, @Nullable String listener) {
		return respond(() -> this.delegate.perform(queue, action, id, delay, at, state, reason, cause, until, spread,
				limit, cursor, listener, user));
	}

	private static WebEndpointResponse<?> respond(Supplier<?> operation) {
		try {
			return new WebEndpointResponse<>(operation.get());
		}
		catch (QueueRequestException ex) {
			return new WebEndpointResponse<>(Map.of("error", String.valueOf(ex.getMessage())), ex.getStatus());
		}
	}

}
