package io.github.delayqueue.store;

/**
 * Options of a call that schedules tasks.
 *
 * @param confirmed whether others than the store are to confirm that they have the tasks,
 * if the queue asks for that. A store whose tasks they could not save asks nobody
 * @param sources what the source has to know of their number, as the part that spreads
 * queues has learnt it; empty for anything
 */
public record ScheduleOptions(boolean confirmed, String sources) {

	/** Nothing. */
	public static final ScheduleOptions NONE = new ScheduleOptions(false, "");

	public static final ScheduleOptions CONFIRMED = new ScheduleOptions(true, "");

	/** These options, of a caller who knows a number of sources. */
	public ScheduleOptions knowing(String sources) {
		return new ScheduleOptions(this.confirmed, sources);
	}

}
