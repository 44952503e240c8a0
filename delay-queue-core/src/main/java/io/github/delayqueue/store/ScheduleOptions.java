package io.github.delayqueue.store;

/**
 * Options of a call that schedules tasks.
 *
 * @param minReplicas for how many replicas to wait, zero for none. A store whose tasks no
 * replica could save has nothing to wait for, and returns this number
 * @param partitions what the partition has to know of their number, as
 * {@link PartitionStore#learn} returns it; empty for anything
 */
public record ScheduleOptions(int minReplicas, String partitions) {

	/** Nothing. */
	public static final ScheduleOptions NONE = replicated(0);

	/**
	 * Wait for replicas.
	 * @param minReplicas for how many, zero for none
	 */
	public static ScheduleOptions replicated(int minReplicas) {
		return new ScheduleOptions(minReplicas, "");
	}

	/** These options, of a caller who knows a number of partitions. */
	public ScheduleOptions knowing(String partitions) {
		return new ScheduleOptions(this.minReplicas, partitions);
	}

}
