package io.github.delayqueue.journal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

import io.github.delayqueue.TaskPriority;

/**
 * What databases do in different ways. Batches are not empty, have at most 500 entries,
 * and none twice. Written by hand: libraries that generate SQL hide that a batch is one
 * round trip that answers what it did to which row.
 */
interface Dialect {

	/**
	 * Write rows of the same generation in place of those with the same id, of which
	 * there are none if the ids were generated.
	 */
	Map<String, WriteResult> replace(String queue, List<Row> rows, boolean generated);

	/** Whether {@link #replace} is a single statement, which needs no transaction. */
	default boolean replacesAtOnce() {
		return false;
	}

	/** Whether a locking read that finds nothing keeps others from inserting. */
	default boolean locksGaps() {
		return false;
	}

	default boolean deletesAtOnce() {
		return false;
	}

	default Map<String, WriteResult> written(JdbcTemplate jdbc, String sql, Object... parameters) {
		Map<String, WriteResult> written = new HashMap<>();
		jdbc.query(sql, (row) -> {
			written.put(id(row, 1), WriteResult.ofRevision(row.getInt(3), row.getLong(2)));
		}, parameters);
		return written;
	}

	/** Write those whose id there is not. */
	Map<String, WriteResult> reject(String queue, List<Row> rows);

	default Object[] values(String queue, Row row) {
		return new Object[] { queue, id(row.taskId()), row.generation(), row.dueMillis(), row.priority().name(),
				row.envelope(), row.checkMillis() };
	}

	/** Rows without their envelopes. */
	List<Row> versions(String queue, Collection<String> taskIds);

	/**
	 * Lock rows of these generations, but for those that others have locked.
	 * @param condition begins with {@code AND}, or is empty
	 */
	Set<Key> tryLock(String queue, List<Key> keys, String condition);

	Set<Key> delete(String queue, List<Key> keys);

	void update(String queue, List<Key> keys, String changes, Object... values);

	/** A statement that deletes some rows of a queue, as many at most as it is told. */
	String deletingSome();

	/**
	 * Lock rows that nobody else has locked, those first that were to be looked at first.
	 * @param jdbc fetches rows bit by bit
	 */
	default List<Row> take(JdbcTemplate jdbc, String queue, long checkFromMillis, long checkUntilMillis, int limit,
			ResultSetExtractor<List<Row>> rows) {
		return Objects.requireNonNull(jdbc.query(locking(Sql.ROW_WITH_ENVELOPE + Sql.TO_BE_CHECKED), rows, queue,
				checkFromMillis, checkUntilMillis, limit));
	}

	/**
	 * Which queues have rows in these spans, perhaps some more: one look into the index
	 * for each.
	 */
	Set<String> toBeChecked(JdbcTemplate jdbc, List<Span> spans);

	record Span(String queue, long checkFromMillis, long checkUntilMillis) {

		static Object[] parameters(List<Span> spans) {
			return spans.stream()
				.flatMap((span) -> Stream.of(span.queue(), span.checkFromMillis(), span.checkUntilMillis()))
				.toArray();
		}
	}

	/**
	 * Let a statement for rows of a queue go by an index, whatever the database knows of
	 * the queue.
	 */
	default String steady(String statement) {
		return statement;
	}

	/** In the present transaction. */
	default void avoidSorting(boolean avoid) {
	}

	/**
	 * Let a query in the order of an index lock its rows, and pass over others; not where
	 * it would lock more than it answers.
	 */
	default String locking(String query) {
		return steady(query) + " FOR UPDATE SKIP LOCKED";
	}

	default Object id(String taskId) {
		return taskId;
	}

	default String id(ResultSet row, int column) throws SQLException {
		return row.getString(column);
	}

	/** One of {@link Sql#ROW}, and perhaps its envelope. */
	default Row row(ResultSet row, boolean withEnvelope) throws SQLException {
		return new Row(id(row, 1), row.getLong(2), row.getLong(3), TaskPriority.valueOf(row.getString(4)),
				withEnvelope ? row.getBytes(8) : null, row.getObject(5) != null, row.getBytes(6), row.getLong(7));
	}

}
