package io.github.delayqueue.migration;

import io.github.delayqueue.DelayQueueException;

/**
 * An entry of a source is not what such a source holds. The message says why, and quotes
 * nothing of it.
 */
class UnreadableEntryException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	UnreadableEntryException(String message) {
		super(null, null, message);
	}

}
