package io.github.delayqueue.journal;

/**
 * The statements that all databases understand. States are literals, so that databases
 * can plan by how frequent they are. The order of rows begins with what is the same in
 * all of them, because H2 uses an index only for an order that has all of its columns.
 */
final class Sql {

	static final String INSERT = """
			INSERT INTO delay_queue_task
			(queue, task_id, generation, due_at, priority, envelope, state, revision, updated_at)
			""";

	/** What {@link RowReader} reads without an envelope, and with one in addition. */
	static final String ROW = "task_id, generation, due_at, priority, state, failure";

	static final String ROW_WITH_ENVELOPE = "SELECT " + ROW + ", envelope FROM delay_queue_task ";

	static final String FIND = ROW_WITH_ENVELOPE + "WHERE queue = ? AND task_id = ?";

	static final String LOCK = FIND + " FOR UPDATE";

	private static final String STORED = """
			WHERE queue = ? AND state = 'WAITING' AND due_at > ?
			ORDER BY queue, state, due_at, task_id LIMIT ? OFFSET ?""";

	static final String LIST_STORED = "SELECT " + ROW + " FROM delay_queue_task " + STORED;

	static final String LIST_STORED_WITH_ENVELOPES = "SELECT " + ROW
			+ ", CASE WHEN OCTET_LENGTH(envelope) <= ? THEN envelope END FROM delay_queue_task " + STORED;

	static final String FIRST_STORED = """
			SELECT due_at FROM delay_queue_task WHERE queue = ? AND state = 'WAITING' AND due_at > ?
			ORDER BY queue, state, due_at LIMIT 1""";

	static final String DEAD_IDS = """
			SELECT task_id FROM delay_queue_task WHERE queue = ? AND state = 'DEAD'
			ORDER BY queue, state, due_at LIMIT ?""";

	static final String BURY = """
			UPDATE delay_queue_task SET state = 'DEAD', failure = ?, updated_at = ?
			WHERE queue = ? AND task_id = ? AND generation = ?""";

	static final String MOVE = """
			UPDATE delay_queue_task SET state = 'WAITING', generation = ?, due_at = ?, updated_at = ?
			WHERE queue = ? AND task_id = ? AND generation = ?""";

	/** Only ever forward: who comes late with a run of long ago must not undo another. */
	static final String REPEAT = """
			UPDATE delay_queue_task SET due_at = ?, updated_at = ?
			WHERE queue = ? AND task_id = ? AND generation = ? AND state <> 'DEAD' AND due_at < ?""";

	/**
	 * Only rows that nobody has touched since: a reset has judged others in the meantime.
	 */
	static final String MARK_REPEATED = """
			UPDATE delay_queue_task SET state = 'HANDED', updated_at = ?
			WHERE queue = ? AND task_id = ? AND generation = ? AND state = 'WAITING' AND due_at = ? AND updated_at = ?""";

	static final String HANDED = """
			SELECT task_id, generation FROM delay_queue_task
			WHERE queue = ? AND state = 'HANDED' AND (updated_at <= ? OR updated_at > ?)
			ORDER BY queue, state, due_at LIMIT ?""";

	/**
	 * Whether a row has not been touched since its generation was written, which is the
	 * time of that. Where it is a later one, because a clock was behind, this is not
	 * true: that does no harm.
	 */
	static final String AS_WRITTEN = "updated_at = FLOOR(generation / 1000)";

	static final String DISOWN = "UPDATE delay_queue_task SET updated_at = updated_at + 1";

	/** Which rows to {@link #DISOWN}. */
	static final String DISOWNED = "queue = ? AND state = 'WAITING' AND due_at <= ? AND updated_at >= ? AND "
			+ AS_WRITTEN;

	static final String DELETE = "DELETE FROM delay_queue_task";

	/** Which rows to {@link #DELETE} when a queue is cleared. */
	static final String CLEARED = "queue = ?";

	static final String PROBE = "SELECT 1";

	static final String LOCK_EPOCH = """
			SELECT incarnation, beat FROM delay_queue_epoch WHERE partition_name = ? AND updated_at < ?
			FOR UPDATE SKIP LOCKED""";

	static final String HAS_EPOCH = "SELECT COUNT(*) FROM delay_queue_epoch WHERE partition_name = ?";

	static final String PARTITIONS = "SELECT partition_name FROM delay_queue_epoch ORDER BY partition_name";

	static final String INSERT_EPOCH = """
			INSERT INTO delay_queue_epoch (partition_name, incarnation, beat, updated_at) VALUES (?, '', 0, ?)""";

	static final String REMEMBER = """
			UPDATE delay_queue_epoch SET incarnation = ?, beat = ?, updated_at = ? WHERE partition_name = ?""";

	private Sql() {
	}

	/**
	 * The statement that takes rows of a state.
	 * @param state the state
	 * @return the statement: its parameters are those of {@link Taking}
	 */
	static String take(RowState state) {
		return ROW_WITH_ENVELOPE + inState(state) + " LIMIT ? FOR UPDATE SKIP LOCKED";
	}

	/**
	 * The condition and order of rows that are taken.
	 * @param state the state
	 * @return the end of a statement, for a limit to follow
	 */
	static String inState(RowState state) {
		return "WHERE queue = ? AND state = '" + state.name()
				+ "' AND due_at <= ? AND updated_at <= ? ORDER BY queue, state, due_at";
	}

	/**
	 * The statement that counts waiting tasks by when they are due.
	 * @param bounds how many bounds there are
	 * @return the statement: its parameters are the bounds, the queue and the time after
	 * which tasks are due that count; its columns how many are due before each bound, and
	 * how many there are
	 */
	static String histogram(int bounds) {
		return "SELECT " + "SUM(CASE WHEN due_at < ? THEN 1 ELSE 0 END), ".repeat(bounds)
				+ "COUNT(*) FROM delay_queue_task WHERE queue = ? AND state = 'WAITING' AND due_at > ?";
	}

}
