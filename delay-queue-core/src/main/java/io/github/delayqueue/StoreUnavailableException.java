package io.github.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached, was not ready, or did not answer in time. Unlike after
 * a refusal, the same call may succeed later. The change may or may not have been made.
 */
public class StoreUnavailableException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	public StoreUnavailableException(@Nullable String queue, @Nullable String taskId, String message,
			@Nullable Throwable cause) {
		super(queue, taskId, message, cause);
	}

}
