package io.github.delayqueue.migration;

/**
 * What lies beside a source could not be asked for. Says nothing of the entry.
 */
class LookupFailedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	LookupFailedException(RuntimeException cause) {
		super("A value beside the entries could not be read", cause);
	}

}
