package io.github.delayqueue.migration;

/**
 * Another instance moves the entries of a source meanwhile. What was begun is resumed by
 * it.
 */
class LockLostException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	LockLostException() {
		super("Another instance moves the entries meanwhile", null, false, false);
	}

}
