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
	 * Delete rows of dead tasks.
	 * @param queue the queue
	 * @param taskIds their ids; rows in another state stay
	 * @return how many were deleted
	 */
	int deleteDead(String queue, Collection<String> taskIds);

	/**
	 * Change the state of rows of exactly these generations.
	 * @param queue the queue
	 * @param keys the rows
	 * @param from the state they have to be in
	 * @param to the state they get
	 * @param nowMillis the time
	 */
	void mark(String queue, List<Key> keys, RowState from, RowState to, long nowMillis);

	/**
	 * Mark rows of exactly these generations as handed over, if they wait, have never
	 * been given up, and have not been touched since they were written.
	 * @param queue the queue
	 * @param keys the rows
	 * @param nowMillis the time
	 */
	void confirm(String queue, List<Key> keys, long nowMillis);

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
	 * @param nowMillis the time
	 * @return the ids of those that were dead
	 */
	Set<String> revive(String queue, Collection<String> taskIds, long dueMillis, long nowMillis);

	/**
	 * Lock rows that nobody else has locked, by due time.
	 * @param jdbc the access, which fetches rows bit by bit
	 * @param taking which rows
	 * @param rows reads them, not necessarily all
	 * @return the rows
	 */
	default List<Row> take(JdbcTemplate jdbc, Taking taking, ResultSetExtractor<List<Row>> rows) {
		return Objects.requireNonNull(jdbc.query(Sql.take(taking.state()), rows, taking.queue(),
				taking.dueUntilMillis(), taking.untouchedSinceMillis(), taking.limit()));
	}

	/**
	 * Write the row of a partition whose row was not to be seen.
	 * @param partition the partition
	 * @param nowMillis the time
	 * @return whether it was written, {@code false} if somebody else was quicker
	 */
	boolean insertEpoch(String partition, long nowMillis);

	/**
	 * The statement for dead tasks: queue, id after which they come, and until when they
	 * were written are its parameters, and how many.
	 * @return the statement
	 */
	String dead();

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
