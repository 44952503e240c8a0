package io.github.delayqueue.sharing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.redis.JoinedCalls;
import io.github.delayqueue.store.redis.RedisConnections;

/** Shares calls that schedule. Public for wiring. Thread-safe. */
public final class SharedSchedule implements JoinedCalls {

	private final SharedCalls<Object, NewTask> calls;

	/** Create, for calls over connections. */
	public SharedSchedule(RedisConnections connections) {
		this.calls = new SharedCalls<>(connections.commandTimeout(), connections.errors());
	}

	@Override
	public Supplier<List<?>> send(Object lane, NewTask task,
			Function<List<NewTask>, CompletableFuture<List<?>>> sender) {
		return this.calls.send(lane, task, task.envelope().length, sender);
	}

}
