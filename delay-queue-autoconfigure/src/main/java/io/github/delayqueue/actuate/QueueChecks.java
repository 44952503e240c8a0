package io.github.delayqueue.actuate;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;

/**
 * Checks and repairs queues, a part at a time.
 */
record QueueChecks(DelayQueueOperations operations) {

	private static final int DEFAULT_LIMIT = 500;

	CheckDescriptor check(String queue, RequestArguments arguments) {
		return page(arguments, (cursor, limit) -> this.operations.check(queue, cursor, limit));
	}

	CheckDescriptor repair(String queue, RequestArguments arguments) {
		return page(arguments, (cursor, limit) -> this.operations.repair(queue, cursor, limit));
	}

	private static CheckDescriptor page(RequestArguments arguments,
			BiFunction<@Nullable String, Integer, QueueCheck> step) {
		int limit = arguments.number("limit", DEFAULT_LIMIT, 1, TaskStore.MAX_CHECK);
		try {
			return CheckDescriptor.of(step.apply(arguments.text("cursor"), limit));
		}
		catch (DelayQueueException ex) {
			if (ex.getCause() instanceof IllegalArgumentException refused) {
				throw arguments.invalid(refused.getMessage() + "; leave it out to begin anew");
			}
			throw ex;
		}
	}

}
