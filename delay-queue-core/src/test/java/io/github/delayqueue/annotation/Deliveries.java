package io.github.delayqueue.annotation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.listener.TaskResult;

/**
 * Deliveries as a container makes them, and the call of a handler with them.
 */
final class Deliveries {

	private Deliveries() {
	}

	static Delivery<?> of(@Nullable Object payload) {
		return of(payload, Map.of());
	}

	static Delivery<?> of(@Nullable Object payload, Map<String, String> headers) {
		return new Delivery<>(
				new DelayedTask<>("orders", "id-1", payload, headers, TaskPriority.NORMAL, Instant.EPOCH, 0, 0),
				new StubContext());
	}

	static TaskResult handle(DelayQueueListenerEndpoint endpoint, Delivery<?> delivery) throws Exception {
		return handleAll(endpoint, delivery).get(0);
	}

	static TaskResult handle(DelayQueueListenerEndpoint endpoint, @Nullable Object payload) throws Exception {
		return handle(endpoint, of(payload));
	}

	static List<TaskResult> handleAll(DelayQueueListenerEndpoint endpoint, Delivery<?>... deliveries) throws Exception {
		return endpoint.handler().handle(List.of(deliveries)).toCompletableFuture().get();
	}

	static final class StubContext implements TaskContext {

		@Override
		public boolean extend(Duration leaseDuration) {
			return true;
		}

		@Override
		public boolean isLeaseLost() {
			return false;
		}

		@Override
		public int maxAttempts() {
			return 4;
		}

		@Override
		public boolean isLastAttempt() {
			return false;
		}

	}

}
