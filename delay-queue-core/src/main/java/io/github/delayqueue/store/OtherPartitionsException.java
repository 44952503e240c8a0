package io.github.delayqueue.store;

import io.github.delayqueue.DelayQueueException;

/**
 * A partition knows another number of partitions than its caller. Nothing was done.
 */
public class OtherPartitionsException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param known the number that it knows
	 */
	public OtherPartitionsException(String partition, String known) {
		super(Partitions.queue(partition), null,
				"Queue '" + partition + "' has another number of partitions (" + known + ") than expected");
	}

}
