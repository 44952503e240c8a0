package io.github.delayqueue.test;

import org.jspecify.annotations.Nullable;

/** Says, among the suppressed exceptions of a test, that a handler had failed. */
final class HandlerFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	HandlerFailure(EndedDelivery delivery, @Nullable Throwable cause) {
		super("A delivery had failed in this test: " + delivery, cause, false, false);
	}

}
