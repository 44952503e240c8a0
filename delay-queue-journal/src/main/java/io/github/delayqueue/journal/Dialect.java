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
 * What databases do in different ways. Implementations are stateless and thread-safe;
 * batches are not empty, have at most 500 entries, and no id twice (keys: none twice).
 * Written by hand: libraries that generate SQL hide what counts here, that a batch is one
 * round trip that answers what it did to which row.
 */
interface Dialect {

	/**
	 * Write rows of the same generation; take the place of those that have the same id.
	 * @param generated whether their ids were made for them: there are no others
	 * @return what was done, by id
	 */
	Map<String, WriteResult> replace(String queue, List<Row> rows, boolean generated);

	/** Whether {@link #replace} is a single statement, which needs no transaction. */
	default boolean replacesAtOnce() {
		return false;
	}

	/**
	 * Whether a locking read that finds nothing keeps others from inserting until the
	 * transaction of the calling thread ends.
	 */
	default boolean locksGaps() {
		return false;
	}

	/** Whether {@link #delete} is a single statement. */
	default boolean deletesAtOnce() {
		return false;
	}

	/** What a statement has written, as it answers by id, generation and revision. */
	default Map<String, WriteResult> written(JdbcTemplate jdbc, String sql, Object... parameters) {
		Map<String, WriteResult> written = new HashMap<>();
		jdbc.query(sql, (row) -> {
			written.put(id(row, 1), WriteResult.ofRevision(row.getInt(3), row.getLong(2)));
		}, parameters);
		return written;
	}

	/** Write rows of the same generation, except those whose id there is. */
	Map<String, WriteResult> reject(String queue, List<Row> rows);

	/** The parameters of {@link Sql#VALUES}. */
	default Object[] values(String queue, Row row) {
		return new Object[] { queue, id(row.taskId()), row.generation(), row.dueMillis(), row.priority().name(),
				row.envelope(), row.checkMillis() };
	}

	/** Rows without their envelopes. */
	List<Row> versions(String queue, Collection<String> taskIds);

	/**
	 * Lock rows of exactly these generations; those that somebody else has locked are
	 * passed over.
	 * @param condition what has to be so besides, and begins with {@code AND}, or nothing
	 * @return which are locked now
	 */
	Set<Key> tryLock(String queue, List<Key> keys, String condition);

	/** Delete in the same way. */
	Set<Key> delete(String queue, List<Key> keys);

	/**
	 * Change rows of exactly these generations.
	 * @param changes what to set, as in a statement
	 */
	void update(String queue, List<Key> keys, String changes, Object... values);

	/**
	 * A statement that deletes some rows of a queue, and how many at most: fewer than
	 * there are where others change them at the same time.
	 */
	String deletingSome();

	/**
	 * Lock rows that nobody else has locked, those first that were to be looked at first.
	 * @param jdbc fetches rows bit by bit
	 * @param rows reads them, not necessarily all
	 */
	default List<Row> take(JdbcTemplate jdbc, String queue, long checkFromMillis, long checkUntilMillis, int limit,
			ResultSetExtractor<List<Row>> rows) {
		return Objects.requireNonNull(jdbc.query(locking(Sql.ROW_WITH_ENVELOPE + Sql.TO_BE_CHECKED), rows, queue,
				checkFromMillis, checkUntilMillis, limit));
	}

	/**
	 * Which queues have rows that are to be looked at, by one statement: however many
	 * there are, it costs one look into the index for each span.
	 * @param spans the queues, not empty
	 * @return at least those that have some
	 */
	Set<String> toBeChecked(JdbcTemplate jdbc, List<Span> spans);

	/** Rows of a queue that are to be looked at from one time until another. */
	record Span(String queue, long checkFromMillis, long checkUntilMillis) {

		static Object[] parameters(List<Span> spans) {
			return spans.stream()
				.flatMap((span) -> Stream.of(span.queue(), span.checkFromMillis(), span.checkUntilMillis()))
				.toArray();
		}
	}

	/**
	 * Let a statement for one row, or for rows of a queue in the order of an index, go by
	 * that index, whatever the database knows of the queue.
	 */
	default String steady(String statement) {
		return statement;
	}

	/** Let what follows in the transaction go by the order of an index, or sort again. */
	default void avoidSorting(boolean avoid) {
	}

	/**
	 * Let a query in the order of an index lock its rows, and pass over those that
	 * somebody else has locked; not where it would lock more than it answers.
	 */
	default String locking(String query) {
		return steady(query) + " FOR UPDATE SKIP LOCKED";
	}

	/** An id as the database takes it. */
	default Object id(String taskId) {
		return taskId;
	}

	/** An id as the database answers it. */
	default String id(ResultSet row, int column) throws SQLException {
		return row.getString(column);
	}

	/** A row whose columns are those of {@link Sql#ROW}, and perhaps its envelope. */
	default Row row(ResultSet row, boolean withEnvelope) throws SQLException {
		return new Row(id(row, 1), row.getLong(2), row.getLong(3), TaskPriority.valueOf(row.getString(4)),
				withEnvelope ? row.getBytes(8) : null, row.getObject(5) != null, row.getBytes(6), row.getLong(7));
	}

}
