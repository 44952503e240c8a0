package io.github.delayqueue.journal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
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
	 * Write rows; take the place of those that have the same id.
	 * @param rows what to write, all of the same generation
	 * @param generated whether their ids were made for them: there are no others
	 * @return what was done, by id
	 */
	Map<String, WriteResult> replace(String queue, List<Row> rows, boolean generated);

	/**
	 * Whether {@link #replace} is a single statement, however many rows there are: it
	 * needs no transaction then.
	 */
	default boolean replacesAtOnce() {
		return false;
	}

	/** Whether {@link #delete} is a single statement, however many rows there are. */
	default boolean deletesAtOnce() {
		return false;
	}

	/**
	 * Write rows, except those whose id there is.
	 * @param rows what to write, all of the same generation
	 * @return what was done, by id
	 */
	Map<String, WriteResult> reject(String queue, List<Row> rows);

	/** The parameters of {@link Sql#VALUES}. */
	default Object[] values(String queue, Row row) {
		return new Object[] { queue, id(row.taskId()), row.generation(), row.dueMillis(), row.priority().name(),
				row.envelope(), row.checkMillis() };
	}

	/** Rows without their envelopes, by id. */
	Map<String, Row> versions(String queue, Collection<String> taskIds);

	/**
	 * Lock rows of exactly these generations; those that somebody else has locked are
	 * passed over.
	 * @return which are locked now
	 */
	default Set<Key> tryLock(String queue, List<Key> keys) {
		return tryLock(queue, keys, "");
	}

	/**
	 * Lock rows in the same way of which something else is true as well.
	 * @param condition what, when they are locked: empty, or it begins with {@code AND}
	 */
	Set<Key> tryLock(String queue, List<Key> keys, String condition);

	/**
	 * Delete rows of exactly these generations, except those that somebody else has
	 * locked.
	 * @return which were deleted
	 */
	Set<Key> delete(String queue, List<Key> keys);

	/**
	 * Change rows of exactly these generations.
	 * @param changes what to set, as in a statement
	 * @param values the parameters of that
	 */
	void update(String queue, List<Key> keys, String changes, Object... values);

	/**
	 * A statement that does something to some rows, not to all at once.
	 * @param action the statement without a condition
	 * @param condition which rows
	 * @return the statement: the parameters of the condition, then how many rows at most;
	 * there may be fewer where others change them at the same time
	 */
	String some(String action, String condition);

	/**
	 * Lock rows that nobody else has locked, those first that were to be looked at first.
	 * @param jdbc the access, which fetches rows bit by bit
	 * @param checkFromMillis from when on they are to be looked at
	 * @param checkUntilMillis until when
	 * @param rows reads them, not necessarily all
	 */
	default List<Row> take(JdbcTemplate jdbc, String queue, long checkFromMillis, long checkUntilMillis, int limit,
			ResultSetExtractor<List<Row>> rows) {
		return Objects.requireNonNull(jdbc.query(locking(Sql.ROW_WITH_ENVELOPE + Sql.TO_BE_CHECKED), rows, queue,
				checkFromMillis, checkUntilMillis, limit));
	}

	/**
	 * Let a statement go by the index that it is meant for, whatever the database knows
	 * of the queue.
	 * @param statement a statement for one row, or for rows of a queue in the order of an
	 * index
	 * @return the statement
	 */
	default String steady(String statement) {
		return statement;
	}

	/** Let what follows in the transaction go by the order of an index, or sort again. */
	default void avoidSorting(boolean avoid) {
	}

	/**
	 * Let a query lock its rows, and pass over those that somebody else has locked; not
	 * where it would lock more than it answers.
	 * @param query a query of the rows of a queue, in the order of an index
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

	/** A row whose columns are those of {@link Sql#ROW}. */
	default Row row(ResultSet row, byte @Nullable [] envelope) throws SQLException {
		return new Row(id(row, 1), row.getLong(2), row.getLong(3), TaskPriority.valueOf(row.getString(4)), envelope,
				row.getObject(5) != null, row.getBytes(6), row.getLong(7));
	}

}
