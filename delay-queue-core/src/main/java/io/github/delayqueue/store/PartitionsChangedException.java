package io.github.delayqueue.store;

import io.github.delayqueue.DelayQueueException;

/**
 * A partition knows other counts than its caller believes in. Nothing was done.
 */
public class PartitionsChangedException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String counts;

	/**
	 * Create an exception.
	 * @param counts the counts that it knows, as text
	 */
	public PartitionsChangedException(String partition, String counts) {
		super(Partitions.queue(partition), null,
				"Queue '" + partition + "' has other numbers of partitions (" + counts + ") than expected");
		this.counts = counts;
	}

	/**
	 * The counts that the partition knows.
	 * @return the counts, {@link PartitionCounts#UNCHECKED} if it knows none
	 */
	public PartitionCounts counts() {
		return PartitionCounts.parse(this.counts);
	}

}
