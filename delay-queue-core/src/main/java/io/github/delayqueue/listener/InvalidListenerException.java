package io.github.delayqueue.listener;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;

/**
 * A listener that cannot work as it is declared: found when it is registered, which for
 * annotated methods is while the application starts. The message names the listener and
 * what is wrong with it, {@link #getAction()} what to change.
 */
public class InvalidListenerException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String action;

	public InvalidListenerException(@Nullable String queue, String message, String action, @Nullable Throwable cause) {
		super(queue, null, message, cause);
		this.action = action;
	}

	/** The remedy: a sentence or two for the developer. */
	public String getAction() {
		return this.action;
	}

	/** The message and the remedy, for logs and stack traces. */
	@Override
	public String toString() {
		return super.toString() + ". " + this.action;
	}

}
