package io.github.delayqueue.producer;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;

/**
 * Completes exceptions of the store, which know the queue at best, by what only the
 * caller knows. For parts.
 */
public final class StoreErrors {

	private StoreErrors() {
	}

	/** Name a task in an exception of the store, unless it names one already. */
	public static RuntimeException ofTask(RuntimeException error, String queue, String taskId) {
		return (error instanceof DelayQueueException ex && ex.getTaskId() != null) ? error
				: replaced(error, queue, taskId, "Task '" + Names.printable(taskId) + "': " + error.getMessage());
	}

	/** Add to an exception how far a sequence of steps has come. */
	public static RuntimeException withProgress(RuntimeException error, String progress) {
		return (error instanceof DelayQueueException ex)
				? replaced(ex, ex.getQueue(), ex.getTaskId(), ex.getMessage() + " (" + progress + ")") : error;
	}

	private static RuntimeException replaced(RuntimeException error, @Nullable String queue, @Nullable String taskId,
			String message) {
		boolean unavailable = error instanceof StoreUnavailableException;
		if (!unavailable && error.getClass() != DelayQueueException.class) {
			return error;
		}
		// In place of the original, not around it: its cause is what is of interest
		Throwable cause = (error.getCause() != null) ? error.getCause() : error;
		DelayQueueException by = unavailable ? new StoreUnavailableException(queue, taskId, message, cause)
				: new DelayQueueException(queue, taskId, message, cause);
		List.of(error.getSuppressed()).forEach(by::addSuppressed);
		return by;
	}

}
