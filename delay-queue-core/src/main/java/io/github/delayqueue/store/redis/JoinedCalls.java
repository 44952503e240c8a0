package io.github.delayqueue.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.delayqueue.store.NewTask;

/** Sends new tasks of several threads in one call. A part does. Thread-safe. */
public interface JoinedCalls {

	/**
	 * Send a task, alone or with others.
	 * @param lane what tasks must have in common to be sent together
	 * @param sender sends tasks in one call; may be called by a thread of the driver, and
	 * for tasks of others as well
	 * @return waits for the reply and returns it; to be called in any case
	 */
	Supplier<List<?>> send(Object lane, NewTask task, Function<List<NewTask>, CompletableFuture<List<?>>> sender);

}
