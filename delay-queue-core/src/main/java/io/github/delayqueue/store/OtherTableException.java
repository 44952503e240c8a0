package io.github.delayqueue.store;

import io.github.delayqueue.DelayQueueException;

/**
 * The tasks of a queue are kept in another table than in that of the caller, or in one
 * while the caller has none: it would take tasks for gone that are not, or leave them in
 * the table. Nothing was done.
 */
public class OtherTableException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String table;

	/**
	 * Create an exception.
	 * @param table where the tasks are kept
	 * @param own that of the caller, empty for none; a store leaves it to the caller
	 */
	public OtherTableException(String source, String table, String own) {
		super(Sources.queue(source), null, message(Sources.queue(source), table, own));
		this.table = table;
	}

	/** The id of the table that the tasks are kept in. */
	public String getTable() {
		return this.table;
	}

	private static String message(String queue, String table, String own) {
		String adopt = "If this instance is right, let it adopt the queue: the action 'adopt' of the endpoint delayqueue";
		return own.isEmpty()
				? "Queue '" + queue + "' has a journal, in the table with the id " + table
						+ ", and this instance has none for it, so it claims none of its tasks. Set journal.enabled "
						+ "for this queue as the other instances have it. " + adopt
				: "The journal of queue '" + queue + "' is in the table with the id " + table
						+ ", and that of this instance in the one with the id " + own
						+ ", so it claims none of its tasks. Let all instances use the same database. " + adopt;
	}

}
