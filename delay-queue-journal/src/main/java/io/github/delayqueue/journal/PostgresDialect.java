package io.github.delayqueue.journal;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.SqlArrayValue;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Statements for PostgreSQL: batches are arrays, so that there is one statement whatever
 * their size, and one round trip, that answers what it did.
 */
record PostgresDialect(JdbcTemplate jdbc) implements Dialect {

	private static final Logger logger = LoggerFactory.getLogger(PostgresDialect.class);

	private static final int ATTEMPTS = 5;

	private static final String CONFLICT = " ON CONFLICT (queue, task_id) ";

	private static final String RETURNING = " RETURNING task_id, generation, revision";

	/** Of a single row, for which {@code unnest} would take a third of the time. */
	private static final String INSERT_ONE = Sql.INSERT + "VALUES " + Sql.VALUES;

	private static final String INSERT = Sql.INSERT
			+ """
					SELECT ?, n.task_id, ?, n.due_at, n.priority, n.envelope, n.check_at, 1
					FROM unnest(CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS bytea[]), CAST(? AS bigint[]))
					AS n (task_id, due_at, priority, envelope, check_at)""";

	private static final String DO_REPLACE = CONFLICT + """
			DO UPDATE SET generation = GREATEST(excluded.generation, delay_queue_task.generation + 1),
			due_at = excluded.due_at, priority = excluded.priority, envelope = excluded.envelope,
			check_at = excluded.check_at, dead_at = NULL, failure = NULL, revision = delay_queue_task.revision + 1
			""" + RETURNING;

	private static final String DO_REJECT = CONFLICT + "DO NOTHING" + RETURNING;

	/**
	 * A parameter that the planner does not see: a queue of which it has not learnt yet
	 * it takes for a small one, and reads all of it, by whichever index.
	 */
	private static final String UNSEEN_QUEUE = "queue = (SELECT CAST(? AS text))";

	private static final String IDS = "WHERE " + UNSEEN_QUEUE
			+ " AND task_id = ANY (CAST((SELECT CAST(? AS text[])) AS text[]))";

	private static final String VERSIONS = "SELECT " + Sql.ROW + " FROM delay_queue_task " + IDS;

	/** The rows of some keys, whose arrays are the first two parameters. */
	private static final String KEYS = """
			unnest((SELECT CAST(? AS text[])), (SELECT CAST(? AS bigint[]))) AS k (task_id, generation)
			WHERE t.""" + UNSEEN_QUEUE + """
			 AND t.task_id = k.task_id AND t.generation = k.generation
			""";

	private static final String FREE = " FOR UPDATE OF t SKIP LOCKED";

	private static final String TRY_LOCK = "SELECT t.task_id, t.generation FROM delay_queue_task t, " + KEYS;

	private static final String DELETE = deleting("FROM delay_queue_task t, " + KEYS + FREE) + RETURNING;

	/**
	 * Rows by their places, which nobody changes who has not locked them. In a table with
	 * partitions, each has rows at the same places.
	 */
	private static String deleting(String rows) {
		return "WITH k AS MATERIALIZED (SELECT t.tableoid, t.ctid " + rows + ") DELETE FROM delay_queue_task "
				+ "WHERE ctid = ANY (ARRAY (SELECT k.ctid FROM k)) "
				+ "AND (tableoid, ctid) IN (SELECT k.tableoid, k.ctid FROM k)";
	}

	/** By a walk from span to span, whatever the planner thinks of them. */
	private static final String TO_BE_CHECKED = """
			SELECT s.queue FROM unnest(CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS bigint[])) AS s (queue, first, last)
			CROSS JOIN LATERAL (SELECT 1 FROM delay_queue_task t
			WHERE t.queue = s.queue AND t.check_at >= s.first AND t.check_at <= s.last
			ORDER BY t.queue, t.check_at LIMIT 1) AS found""";

	@Override
	public boolean replacesAtOnce() {
		return true;
	}

	@Override
	public boolean deletesAtOnce() {
		return true;
	}

	@Override
	public Map<String, WriteResult> replace(String queue, List<Row> rows, boolean generated) {
		// where nothing is in the way, that costs half of the time; within a transaction
		// there would be no second attempt
		if (generated && !TransactionSynchronizationManager.isActualTransactionActive()) {
			try {
				this.jdbc.update(insertion(rows), parameters(queue, rows));
				return rows.stream()
					.collect(Collectors.toMap(Row::taskId, (row) -> WriteResult.ofRevision(1, row.generation())));
			}
			catch (DuplicateKeyException ex) {
				logger.debug("A generated id is known in queue '{}'", queue, ex);
			}
		}
		return insert(DO_REPLACE, queue, rows);
	}

	@Override
	public Map<String, WriteResult> reject(String queue, List<Row> rows) {
		Map<String, WriteResult> written = new HashMap<>();
		// a row that was in the way can be gone when it is looked for
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			written.putAll(insert(DO_REJECT, queue, missing(rows, written)));
			if (written.size() < rows.size()) {
				versions(queue, missing(rows, written).stream().map(Row::taskId).toList())
					.forEach((row) -> written.put(row.taskId(), WriteResult.rejected(row.generation())));
			}
			if (written.size() == rows.size()) {
				return written;
			}
		}
		throw new ConcurrencyFailureException("Rows of queue '" + queue + "' come and go");
	}

	private static List<Row> missing(List<Row> rows, Map<String, WriteResult> written) {
		return rows.stream().filter((row) -> !written.containsKey(row.taskId())).toList();
	}

	private Map<String, WriteResult> insert(String onConflict, String queue, List<Row> rows) {
		return written(this.jdbc, insertion(rows) + onConflict, parameters(queue, rows));
	}

	private static String insertion(List<Row> rows) {
		return (rows.size() == 1) ? INSERT_ONE : INSERT;
	}

	private Object[] parameters(String queue, List<Row> rows) {
		return (rows.size() == 1) ? values(queue, rows.get(0))
				: new Object[] { queue, rows.get(0).generation(),
						array("text", rows.stream().map(Row::taskId).toArray(String[]::new)),
						array("bigint", rows.stream().map(Row::dueMillis).toArray(Long[]::new)),
						array("text", rows.stream().map((row) -> row.priority().name()).toArray(String[]::new)),
						array("bytea", rows.stream().map(Row::envelope).toArray(byte[][]::new)),
						array("bigint", rows.stream().map(Row::checkMillis).toArray(Long[]::new)) };
	}

	@Override
	public List<Row> versions(String queue, Collection<String> taskIds) {
		return this.jdbc.query(VERSIONS, (row, number) -> row(row, false), queue,
				array("text", taskIds.toArray(String[]::new)));
	}

	@Override
	public Set<Key> tryLock(String queue, List<Key> keys, String condition) {
		return keys(TRY_LOCK + condition + FREE, queue, keys);
	}

	@Override
	public Set<Key> delete(String queue, List<Key> keys) {
		return keys(DELETE, queue, keys);
	}

	private Set<Key> keys(String sql, String queue, List<Key> keys) {
		return Set.copyOf(this.jdbc.query(sql, (row, number) -> new Key(row.getString(1), row.getLong(2)),
				keyParameters(queue, keys)));
	}

	@Override
	public void update(String queue, List<Key> keys, String changes, Object... values) {
		this.jdbc.update("UPDATE delay_queue_task t SET " + changes + " FROM " + KEYS,
				Stream.of(values, keyParameters(queue, keys)).flatMap(Arrays::stream).toArray());
	}

	@Override
	public Set<String> toBeChecked(JdbcTemplate jdbc, List<Span> spans) {
		return Set.copyOf(jdbc.queryForList(TO_BE_CHECKED, String.class,
				array("text", spans.stream().map(Span::queue).toArray(String[]::new)),
				array("bigint", spans.stream().map(Span::checkFromMillis).toArray(Long[]::new)),
				array("bigint", spans.stream().map(Span::checkUntilMillis).toArray(Long[]::new))));
	}

	@Override
	public String steady(String statement) {
		return statement.replace("queue = ?", UNSEEN_QUEUE);
	}

	/** The planner's guess of how many rows are to be sorted may be any. */
	@Override
	public void avoidSorting(boolean avoid) {
		this.jdbc.execute("SET LOCAL enable_sort = " + (avoid ? "off" : "DEFAULT"));
	}

	/** A row that others change meanwhile has another place, and is left alone. */
	@Override
	public String deletingSome() {
		return deleting("FROM delay_queue_task t WHERE queue = ? LIMIT ?");
	}

	private static Object[] keyParameters(String queue, List<Key> keys) {
		return new Object[] { array("text", keys.stream().map(Key::taskId).toArray(String[]::new)),
				array("bigint", keys.stream().map(Key::generation).toArray(Long[]::new)), queue };
	}

	/** The driver sends arrays as they are in memory only if it sees their type. */
	private static SqlArrayValue array(String type, Object[] elements) {
		return new SqlArrayValue(type, elements);
	}

}
