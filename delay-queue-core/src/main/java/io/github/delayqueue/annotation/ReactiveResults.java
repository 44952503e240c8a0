package io.github.delayqueue.annotation;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Subscribes to what methods return. A class of its own: not every application has
 * Reactor.
 */
final class ReactiveResults {

	private ReactiveResults() {
	}

	/**
	 * Subscribe, and wait for the end.
	 * @return completes with the first value, {@code null} if there is none
	 */
	static CompletableFuture<@Nullable Object> first(Object publisher) {
		// not Mono.from, which would cancel what comes after the first value
		return Flux.<Object>from((Publisher<?>) publisher).reduce((first, next) -> first).toFuture();
	}

	/**
	 * Subscribe, and wait for the end.
	 * @return completes with all values
	 */
	static CompletableFuture<List<Object>> all(Object publisher) {
		return Flux.<Object>from((Publisher<?>) publisher).collectList().toFuture();
	}

}
