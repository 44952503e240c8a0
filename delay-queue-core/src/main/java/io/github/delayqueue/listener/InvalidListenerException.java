package io.github.delayqueue.listener;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.SetupException;

/**
 * A listener that cannot work as it is declared: found when it is registered, which for
 * annotated methods is while the application starts. The message names the listener and
 * what is wrong with it, {@link #getAction()} what to change.
 */
public class InvalidListenerException extends SetupException {

	private static final long serialVersionUID = 1L;

	public InvalidListenerException(@Nullable String queue, String message, String action, @Nullable Throwable cause) {
		super(queue, message, action, cause);
	}

	/** The remedy: a sentence or two for the developer. */
	public String getAction() {
		return getRemedy();
	}

}
