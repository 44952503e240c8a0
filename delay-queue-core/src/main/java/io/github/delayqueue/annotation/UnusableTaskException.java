package io.github.delayqueue.annotation;

/**
 * A task that its listener cannot be called with, however often: it is dead-lettered. The
 * message is kept with it and says nothing of what is in the payload.
 */
final class UnusableTaskException extends Exception {

	private static final long serialVersionUID = 1L;

	UnusableTaskException(String message) {
		super(message);
	}

	UnusableTaskException(String message, Throwable cause) {
		super(message, cause);
	}

}
