package io.github.delayqueue.console;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * {@link DelayQueueEndpointWebExtension} for reactive applications. Redis is waited for
 * on a few threads of its own, and not on those that the application waits on too. Public
 * for applications that expose it in their own way. Thread-safe.
 */
// Spring Boot 3 takes only parameters with Spring's own @Nullable for optional
@SuppressWarnings("deprecation")
@EndpointWebExtension(endpoint = DelayQueueEndpoint.class)
public class ReactiveDelayQueueEndpointWebExtension implements AutoCloseable {

	/** As many as look and wait, and some that change queues, or are refused. */
	private static final int THREADS = Looks.MAX + Looks.MAX_WAITING + 4;

	/** More are refused. Of each thread. */
	private static final int WAITING = 4;

	private static final int KEPT_SECONDS = 60;

	private final DelayQueueEndpointWebExtension delegate;

	private final Scheduler scheduler = Schedulers.newBoundedElastic(THREADS, WAITING, "delay-queue-endpoint",
			KEPT_SECONDS, true);

	public ReactiveDelayQueueEndpointWebExtension(DelayQueueEndpoint endpoint) {
		this.delegate = new DelayQueueEndpointWebExtension(endpoint);
	}

	@ReadOperation
	public Mono<WebEndpointResponse<?>> queues(@Nullable Map<String, Object> arguments) {
		return respond(() -> this.delegate.queues(arguments));
	}

	@ReadOperation
	public Mono<WebEndpointResponse<?>> queue(@Selector String queue) {
		return respond(() -> this.delegate.queue(queue));
	}

	@ReadOperation
	public Mono<WebEndpointResponse<?>> view(SecurityContext user, @Selector String queue, @Selector String view,
			@Nullable Map<String, Object> arguments) {
		return respond(() -> this.delegate.view(user, queue, view, arguments));
	}

	@ReadOperation
	public Mono<WebEndpointResponse<?>> entry(SecurityContext user, @Selector String queue, @Selector String view,
			@Selector String entry, @Nullable Map<String, Object> arguments) {
		return respond(() -> this.delegate.entry(user, queue, view, entry, arguments));
	}

	@WriteOperation
	public Mono<WebEndpointResponse<?>> perform(SecurityContext user, @Selector String queue,
			@Nullable Map<String, Object> arguments) {
		return respond(() -> this.delegate.perform(user, queue, arguments));
	}

	private Mono<WebEndpointResponse<?>> respond(Callable<WebEndpointResponse<?>> operation) {
		return Mono.fromCallable(operation)
			.subscribeOn(this.scheduler)
			.onErrorResume(RejectedExecutionException.class, (ex) -> Mono.just(DelayQueueEndpointWebExtension
				.refusal(429, "Too many requests are waiting on this instance. Ask again later, and less often")));
	}

	@Override
	public void close() {
		this.scheduler.dispose();
	}

}
