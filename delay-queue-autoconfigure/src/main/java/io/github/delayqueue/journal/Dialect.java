package io.github.delayqueue.journal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

/**
 * What databases do in different ways. Implementations are stateless and thread-safe;
 * batches are not empty, have at most 500 entries, and no id twice (keys: none twice).
 * Written by hand: libraries that generate SQL hide what counts here, that a batch is one
 * round trip that answers what it did to which row.
 */
interface Dialect {

	/**
	 * Write rows; take the place of those that have the same id.
	 * @param queue the queue
	 * @param entries what to write
	 * @param now the time
	 * @return what was done, by id
	 */
	Map<String, Written> replace(String queue, List<Entry> entries, Stamp now);

	/**
	 * Whether {@link #replace} is a single statement, however many rows there are: it
	 * needs no transaction then.
	 * @return whether it is
	 */
	default boolean replacesAtOnce() {
		return false;
	}

	/**
	 * Whether {@link #delete} is a single statement, however many rows there are.
	 * @return whether it is
	 */
	default boolean deletesAtOnce() {
		return false;
	}

	/**
	 * Write rows, except those whose id there is.
	 * @param queue the queue
	 * @param entries what to write
	 * @param now the time
	 * @return what was done, by id
	 */
	Map<String, Written> reject(String queue, List<Entry> entries, Stamp now);

	Map<String, Version> versions(String queue, Collection<String> taskIds);

	/**
	 * Lock rows of exactly these generations; those that somebody else has locked are
	 * passed over.
	 * @param queue the queue
	 * @param keys the rows
	 * @return which are locked now
	 */
	Set<Key> tryLock(String queue, List<Key> keys);

	/**
	 * Delete rows of exactly these generations, except those that somebody else has
	 * locked.
	 * @param queue the queue
	 * @param keys the rows
	 * @return which were deleted
	 */
	Set<Key> delete(String queue, List<Key> keys);

	/**
	 * Change rows of exactly these generations.
	 * @param queue the queue
	 * @param keys the rows
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
	 * Let dead tasks wait again.
	 * @param queue the queue
	 * @param taskIds their ids
	 * @param dueMillis when they are due
	 * @param checkMillis when a loader looks at them
	 * @return the ids of those that were dead
	 */
	Set<String> revive(String queue, Collection<String> taskIds, long dueMillis, long checkMillis);

	/**
	 * Lock rows that nobody else has locked, those first that were to be looked at first.
	 * @param jdbc the access, which fetches rows bit by bit
	 * @param queue the queue
	 * @param checkUntilMillis until when they are to be looked at
	 * @param limit how many at most
	 * @param rows reads them, not necessarily all
	 * @return the rows
	 */
	default List<Row> take(JdbcTemplate jdbc, String queue, long checkUntilMillis, int limit,
			ResultSetExtractor<List<Row>> rows) {
		return Objects.requireNonNull(
				jdbc.query(locking(Sql.ROW_WITH_ENVELOPE + Sql.TO_BE_CHECKED), rows, queue, checkUntilMillis, limit));
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

	/** Let what follows in the transaction go by the order of an index, not sort. */
	default void avoidSorting() {
	}

	/**
	 * Let a query lock its rows, and pass over those that somebody else has locked; not
	 * where it would lock more than it answers.
	 * @param query a query of the rows of a queue, in the order of an index
	 * @return the query
	 */
	default String locking(String query) {
		return steady(query) + " FOR UPDATE SKIP LOCKED";
	}

	/**
	 * Write the row of a partition whose row was not to be seen.
	 * @param partition the partition
	 * @param nowMillis the time
	 * @return whether it was written, {@code false} if somebody else was quicker
	 */
	boolean insertEpoch(String partition, long nowMillis);

	/**
	 * An id as the database takes it.
	 * @param taskId the id
	 * @return a parameter
	 */
	Object id(String taskId);

	/**
	 * An id as the database answers it.
	 * @param row the result
	 * @param column the number of the column
	 * @return the id
	 * @throws SQLException if it cannot be read
	 */
	String id(ResultSet row, int column) throws SQLException;

}
