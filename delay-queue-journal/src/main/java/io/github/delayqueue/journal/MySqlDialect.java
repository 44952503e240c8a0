package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Statements for MySQL and MariaDB. MySQL does not answer what a statement has done to
 * which row. Ids are bytes, whatever the character set of a connection.
 */
final class MySqlDialect extends ListDialect {

	/** {@code VALUES(…)} is what both MySQL and MariaDB understand. */
	private static final String ON_DUPLICATE_KEY = """
			 ON DUPLICATE KEY UPDATE generation = GREATEST(VALUES(generation), generation + 1),
			due_at = VALUES(due_at), priority = VALUES(priority), envelope = VALUES(envelope),
			check_at = VALUES(check_at), dead_at = NULL, failure = NULL, revision = revision + 1""";

	/** Else the optimizer may walk through all rows of a queue, and wait for some. */
	private static final String FROM_KEYS = " FROM delay_queue_task t FORCE INDEX (PRIMARY)";

	private static final String COMMITTED = "SELECT task_id, generation" + FROM_KEYS
			+ " WHERE queue = ? AND task_id IN";

	private static final String UPDATE = "UPDATE delay_queue_task FORCE INDEX (PRIMARY) SET ";

	private static final String RETURNING = " RETURNING task_id, generation, revision";

	private static final String WRITTEN = """
			SELECT task_id, generation, revision FROM delay_queue_task WHERE queue = ? AND task_id IN""";

	private static final String TO_BE_CHECKED = "SELECT queue FROM delay_queue_task FORCE INDEX (delay_queue_task_check) "
			+ "WHERE ";

	private static final String SPAN = "(queue = ? AND check_at >= ? AND check_at <= ?)";

	/** So many rows say that there is much to do. */
	private static final int MANY = 1000;

	/** Whether an insert answers what it has written, as that of MariaDB does. */
	private final boolean returning;

	MySqlDialect(JdbcTemplate jdbc, boolean returning) {
		super(jdbc, "SELECT task_id, generation" + FROM_KEYS, "DELETE t" + FROM_KEYS);
		this.returning = returning;
	}

	@Override
	public boolean replacesAtOnce() {
		return this.returning;
	}

	@Override
	public Map<String, WriteResult> replace(String queue, List<Row> rows, boolean generated) {
		String insert = insertion(rows.size()) + ON_DUPLICATE_KEY;
		if (this.returning) {
			return written(jdbc(), insert + RETURNING, values(queue, rows));
		}
		jdbc().update(insert, values(queue, rows));
		List<Object> ids = ids(rows.stream().map(Row::taskId).toList());
		return written(jdbc(), WRITTEN + Sql.placeholders(ids), Sql.parameters(List.of(queue), ids));
	}

	/** Locks them, which tells what has become of them since the snapshot. */
	@Override
	List<Key> committed(String queue, List<Row> read) {
		if (read.isEmpty() || !readsSnapshot()) {
			return super.committed(queue, read);
		}
		List<Object> ids = ids(read.stream().map(Row::taskId).toList());
		return jdbc().query(COMMITTED + Sql.placeholders(ids) + " FOR UPDATE",
				(row, number) -> new Key(id(row, 1), row.getLong(2)), Sql.parameters(List.of(queue), ids));
	}

	@Override
	public boolean locksGaps() {
		return readsSnapshot();
	}

	/** Those of our own transactions see what is committed. */
	private static boolean readsSnapshot() {
		Integer isolation = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& !Integer.valueOf(TransactionDefinition.ISOLATION_READ_COMMITTED).equals(isolation);
	}

	@Override
	public void update(String queue, List<Key> keys, String changes, Object... values) {
		List<Object> parameters = new ArrayList<>(Arrays.asList(values));
		parameters.add(queue);
		keys.forEach((key) -> Collections.addAll(parameters, id(key.taskId()), key.generation()));
		// ranges of the primary key, which a list of pairs would not be in MariaDB
		jdbc().update(UPDATE + changes + " WHERE queue = ? AND ("
				+ String.join(" OR ", Collections.nCopies(keys.size(), "(task_id = ? AND generation = ?)")) + ")",
				parameters.toArray());
	}

	/** Each span is a range of the index, which a join with the queues would not be. */
	@Override
	public Set<String> toBeChecked(JdbcTemplate jdbc, List<Span> spans) {
		List<String> found = jdbc.queryForList(
				TO_BE_CHECKED + String.join(" OR ", Collections.nCopies(spans.size(), SPAN)) + " LIMIT " + MANY,
				String.class, Span.parameters(spans));
		// the rows of one queue may hide those of others
		return (found.size() < MANY) ? Set.copyOf(found) : spans.stream().map(Span::queue).collect(Collectors.toSet());
	}

	@Override
	public String deletingSome() {
		return Sql.DELETE_ALL + " LIMIT ?";
	}

	@Override
	public Object id(String taskId) {
		return taskId.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public String id(ResultSet row, int column) throws SQLException {
		return new String(row.getBytes(column), StandardCharsets.UTF_8);
	}

}
