package io.github.delayqueue.store;

/**
 * Options of a call that schedules tasks.
 *
 * @param minReplicas for how many replicas to wait, zero for none. A store whose tasks no
 * replica could save has nothing to wait for, and returns this number
 * @param sources what the source has to know of their number, as
 * {@link SourceStore#learn} returns it; empty for anything
 */
public record ScheduleOptions(int minReplicas, String sources) {

	/** Nothing. */
	public static final ScheduleOptions NONE = replicated(0);

	/**
	 * Wait for replicas.
	 * @param minReplicas for how many, zero for none
	 */
	public static ScheduleOptions replicated(int minReplicas) {
		return new ScheduleOptions(minReplicas, "");
	}

	/** These options, of a caller who knows a number of sources. */
	public ScheduleOptions knowing(String sources) {
		return new ScheduleOptions(this.minReplicas, sources);
	}

}
