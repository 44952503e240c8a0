package io.github.delayqueue.options;

/** How the exception of a handler that failed is logged. */
public enum FailureLogging {

	/** Its type and message, and after the last attempt its stack trace. */
	FULL,

	/**
	 * Its type alone, at any level of the log: for messages that hold what must not be in
	 * a log.
	 */
	TYPE_ONLY

}
