package io.github.delayqueue.store;

/**
 * Options of a call that schedules tasks.
 *
 * @param minReplicas for how many replicas to wait, zero for none. A store whose tasks no
 * replica could save has nothing to wait for, and returns this number
 * @param counts the counts of partitions that the caller believes in, see
 * {@link PartitionStore}
 */
public record ScheduleOptions(int minReplicas, PartitionCounts counts) {

	/** Nothing. */
	public static final ScheduleOptions NONE = replicated(0);

	/**
	 * Wait for replicas.
	 * @param minReplicas for how many, zero for none
	 */
	public static ScheduleOptions replicated(int minReplicas) {
		return new ScheduleOptions(minReplicas, PartitionCounts.UNCHECKED);
	}

	/** These options, of a caller who believes in counts of partitions. */
	public ScheduleOptions believing(PartitionCounts counts) {
		return new ScheduleOptions(this.minReplicas, counts);
	}

}
