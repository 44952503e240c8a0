package io.github.delayqueue.store.redis;

/**
 * The keys of a queue, as {@code docs/internals/redis-layout.md} describes them. For
 * parts of the delay queue that have a {@link Script}.
 */
public enum QueueKey {

	/** Scheduled tasks of normal priority. */
	NORMAL(""),

	/** Scheduled tasks of high priority. */
	HIGH(":high"),

	/** Scheduled tasks of low priority. */
	LOW(":low"),

	/** Tasks in flight. */
	LEASES(":leases"),

	/** Envelopes. */
	TASKS(":tasks"),

	/** Records of deliveries. */
	DELIVERIES(":deliveries"),

	/** Last failures. */
	ERRORS(":errors"),

	/** Dead letters. */
	DEAD(":dead"),

	/** Completed tasks that are kept. */
	COMPLETED(":completed"),

	/** Totals and what else there is one of. */
	META(":meta"),

	/** Totals by the hour. */
	HOURS(":hours"),

	/** The channel of wake messages. */
	WAKE(":wake");

	private final String suffix;

	QueueKey(String suffix) {
		this.suffix = suffix;
	}

	String suffix() {
		return this.suffix;
	}

}
