package io.github.delayqueue.producer;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;

/**
 * Completes exceptions of the store, which know the queue at best, by what only the
 * caller knows.
 */
final class StoreErrors {

	private StoreErrors() {
	}

	/** Name a task in an exception of the store, unless it names one already. */
	static RuntimeException ofTask(RuntimeException error, String queue, String taskId) {
		return complete(error, queue, taskId, "Task '" + Names.printable(taskId) + "': " + error.getMessage());
	}

	/** Add to an exception of the store how far a sequence of steps has come. */
	static RuntimeException withProgress(RuntimeException error, String queue, String progress) {
		return complete(error, queue, null, error.getMessage() + " (" + progress + ")");
	}

	/**
	 * Add to the exception of a task that could not be written how far others have come.
	 */
	static RuntimeException withProgress(RuntimeException error, String progress) {
		if (error.getClass() != DelayQueueException.class) {
			return error;
		}
		DelayQueueException ofTask = (DelayQueueException) error;
		return replaced(error, new DelayQueueException(ofTask.getQueue(), ofTask.getTaskId(),
				ofTask.getMessage() + " (" + progress + ")", ofTask.getCause()));
	}

	private static RuntimeException complete(RuntimeException error, String queue, @Nullable String taskId,
			String message) {
		boolean unavailable = error instanceof StoreUnavailableException;
		boolean plain = (unavailable || error.getClass() == DelayQueueException.class)
				&& ((DelayQueueException) error).getTaskId() == null;
		if (!plain) {
			return error;
		}
		// In place of the original, not around it: its cause is what is of interest
		Throwable cause = (error.getCause() != null) ? error.getCause() : error;
		DelayQueueException complete = unavailable ? new StoreUnavailableException(queue, taskId, message, cause)
				: new DelayQueueException(queue, taskId, message, cause);
		return replaced(error, complete);
	}

	private static RuntimeException replaced(RuntimeException error, DelayQueueException by) {
		for (Throwable further : error.getSuppressed()) {
			by.addSuppressed(further);
		}
		return by;
	}

}
