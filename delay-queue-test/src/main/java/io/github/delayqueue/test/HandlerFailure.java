package io.github.delayqueue.test;

/**
 * Says, among the suppressed exceptions of a test that has failed, that a handler had
 * failed before.
 */
final class HandlerFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	HandlerFailure(EndedDelivery delivery, Throwable cause) {
		super("A handler had failed in this test: " + delivery, cause, false, false);
	}

}
