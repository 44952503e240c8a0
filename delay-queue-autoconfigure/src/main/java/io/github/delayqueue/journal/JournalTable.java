package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskStore;

/**
 * The table of the journal, and with {@link LoaderTable} all of its SQL. A row is a task
 * that is not finished; its key is the queue and the task's id, its generation rises
 * whenever the task is scheduled or rescheduled.
 * <p>
 * Every call takes part in the transaction of the calling thread and never begins one.
 * What locks is worth something only in a transaction, and so are the answers of
 * {@link #write}, {@link #delete} and {@link #revive}: without one, another's changes may
 * come between the statements they consist of.
 * <p>
 * An id that no task can have, as somebody may have put it into Redis, has no row:
 * databases are not asked for it.
 * <p>
 * <b>Exceptions:</b> those of Spring's data access. Deadlocks, locks that could not be
 * had and what cannot be serialised are
 * {@link org.springframework.dao.ConcurrencyFailureException}s; in a new transaction the
 * same may succeed. Batches have at most {@link TaskStore#MAX_BATCH} entries, else
 * {@link IllegalArgumentException}.
 * <p>
 * Thread-safe.
 */
final class JournalTable {

	private final JdbcTemplate jdbc;

	private final LoaderTable loader;

	private final Dialect dialect;

	private final RowReader rows;

	private final Clock clock;

	private final CheckTimes checks;

	/** Whether connections commit each statement outside of a transaction. */
	private final boolean autoCommit;

	private JournalTable(JdbcTemplate jdbc, LoaderTable loader, Dialect dialect, Clock clock, CheckTimes checks,
			boolean autoCommit) {
		this.jdbc = jdbc;
		this.loader = loader;
		this.dialect = dialect;
		this.rows = new RowReader(dialect);
		this.clock = clock;
		this.checks = checks;
		this.autoCommit = autoCommit;
	}

	/**
	 * The table in a database.
	 * @param dataSource the database, asked once for what it is
	 * @param clock the clock for generations and for when a row was written
	 * @param timeout how long a statement may take, rounded up to seconds
	 * @param horizon tasks that are due within this time are in the store
	 * @return the table
	 * @throws JournalSetupException if it is none of {@link DatabaseProduct}, or too old,
	 * or its tables are not there or of another version
	 * @throws org.springframework.dao.DataAccessException if it cannot be reached
	 */
	static JournalTable of(DataSource dataSource, Clock clock, Duration timeout, Duration horizon) {
		DatabaseProduct product = DatabaseProduct.of(dataSource);
		new JournalSchema(product.jdbc(dataSource, timeout), product).check();
		return of(dataSource, clock, timeout, horizon, product);
	}

	static JournalTable of(DataSource dataSource, Clock clock, Duration timeout, Duration horizon,
			DatabaseProduct product) {
		JdbcTemplate jdbc = product.jdbc(dataSource, timeout);
		JdbcTemplate fetching = product.jdbc(dataSource, timeout);
		Dialect dialect = product.dialect(jdbc);
		return new JournalTable(jdbc, new LoaderTable(jdbc, fetching, dialect, clock, new CheckTimes(horizon)), dialect,
				clock, new CheckTimes(horizon), isAutoCommit(dataSource));
	}

	private static boolean isAutoCommit(DataSource dataSource) {
		try {
			return JdbcUtils.extractDatabaseMetaData(dataSource,
					(database) -> database.getConnection().getAutoCommit());
		}
		catch (MetaDataAccessException ex) {
			throw new DataAccessResourceFailureException("The journal's database does not answer", ex);
		}
	}

	/**
	 * What loaders do with the same table.
	 * @return the other half of it
	 */
	LoaderTable loader() {
		return this.loader;
	}

	/**
	 * Whether {@link #write} needs no transaction to be all or nothing: the database does
	 * it by a single statement, which connections commit by themselves.
	 * @param tasks what is to be written
	 * @return whether it needs none
	 */
	boolean writesAtOnce(List<NewTask> tasks) {
		return this.autoCommit && this.dialect.replacesAtOnce()
				&& tasks.stream().allMatch((task) -> task.onDuplicate() != DuplicatePolicy.REJECT)
				&& tasks.stream().map(NewTask::id).distinct().count() == tasks.size();
	}

	/**
	 * Whether {@link #delete} needs no transaction to be all or nothing.
	 * @return whether they need none
	 */
	boolean changesAtOnce() {
		return this.autoCommit && this.dialect.deletesAtOnce();
	}

	/**
	 * Whether connections commit what they do outside of a transaction.
	 * @return whether they do
	 */
	boolean isAutoCommit() {
		return this.autoCommit;
	}

	/**
	 * See whether the database answers.
	 */
	void probe() {
		this.jdbc.queryForList(Sql.PROBE, Long.class);
	}

	/**
	 * Write tasks, which wait from then on. The generation of a row is the time in
	 * microseconds, or one more than that of the row it replaces if that is later.
	 * @param queue the queue
	 * @param entries the tasks, their ids distinct
	 * @return what became of each, in the same order
	 */
	List<Written> write(String queue, List<Entry> entries) {
		return write(queue, entries, -1);
	}

	/**
	 * Write tasks in the same way.
	 * @param queue the queue
	 * @param entries the tasks, their ids distinct
	 * @param above a generation that theirs have to be above
	 * @return what became of each, in the same order
	 */
	List<Written> write(String queue, List<Entry> entries, long above) {
		Bounds.requireBatch(entries);
		Stamp now = Stamp.of(this.clock, above, this.checks);
		// two batches with the same ids lock them in the same order
		List<Entry> sorted = entries.stream().sorted(Comparator.comparing(Entry::taskId)).toList();
		List<Entry> replacing = sorted.stream().filter(Entry::replaces).toList();
		List<Entry> rejecting = sorted.stream().filter((entry) -> !entry.replaces()).toList();
		Map<String, Written> written = new HashMap<>();
		if (!replacing.isEmpty()) {
			written.putAll(this.dialect.replace(queue, replacing, now));
		}
		if (!rejecting.isEmpty()) {
			written.putAll(this.dialect.reject(queue, rejecting, now));
		}
		return entries.stream().map((entry) -> Objects.requireNonNull(written.get(entry.taskId()))).toList();
	}

	/**
	 * What is known of tasks, by one query.
	 * @param queue the queue
	 * @param taskIds their ids
	 * @return by id; those without a row are missing
	 */
	Map<String, Version> versions(String queue, Collection<String> taskIds) {
		Bounds.requireBatch(taskIds);
		List<String> asked = taskIds.stream().filter(JournalTable::isPossible).distinct().toList();
		return asked.isEmpty() ? Map.of() : this.dialect.versions(queue, asked);
	}

	Optional<Row> find(String queue, String taskId) {
		return one(this.dialect.steady(Sql.FIND), queue, taskId);
	}

	/**
	 * Find a row, and keep others from changing it until the transaction ends.
	 * @param queue the queue
	 * @param taskId the task's id
	 * @return the row
	 */
	Optional<Row> lock(String queue, String taskId) {
		return one(this.dialect.steady(Sql.LOCK), queue, taskId);
	}

	private Optional<Row> one(String sql, String queue, String taskId) {
		return isPossible(taskId)
				? this.jdbc.query(sql, this.rows.withEnvelope(), queue, this.dialect.id(taskId)).stream().findFirst()
				: Optional.empty();
	}

	/**
	 * Lock rows of exactly these generations until the transaction ends, without waiting:
	 * those that somebody else has locked are passed over.
	 * @param queue the queue
	 * @param keys the rows
	 * @return which are locked now
	 */
	Set<Key> tryLock(String queue, Collection<Key> keys) {
		Bounds.requireBatch(keys);
		List<Key> possible = possible(keys);
		return possible.isEmpty() ? Set.of() : this.dialect.tryLock(queue, possible);
	}

	/**
	 * Delete rows of exactly these generations, without waiting: those that somebody else
	 * has locked stay.
	 * @param queue the queue
	 * @param keys the rows; of one that is named twice the first is deleted
	 * @return for each how many were deleted, 0 or 1
	 */
	int[] delete(String queue, List<Key> keys) {
		Bounds.requireBatch(keys);
		List<Key> possible = possible(keys);
		Set<Key> deleted = new HashSet<>(possible.isEmpty() ? Set.of() : this.dialect.delete(queue, possible));
		return keys.stream().mapToInt((key) -> deleted.remove(key) ? 1 : 0).toArray();
	}

	/**
	 * Lock rows of dead tasks. Those that somebody else has locked are passed over.
	 * @param queue the queue
	 * @param limit how many at most
	 * @return the rows, beginning with those that have been dead for longest
	 */
	List<Key> lockDead(String queue, int limit) {
		Bounds.requireLimit(limit);
		RowMapper<Key> key = (row, number) -> new Key(this.dialect.id(row, 1), row.getLong(2));
		List<Key> dead = new ArrayList<>(this.jdbc.query(this.dialect.locking(Sql.RESTING_KEYS), key, queue, limit));
		if (dead.size() < limit) {
			dead.addAll(this.jdbc.query(this.dialect.locking(Sql.DEAD_KEYS), key, queue,
					this.clock.millis() + CheckTimes.RAREST.toMillis(), limit - dead.size()));
		}
		return dead;
	}

	/**
	 * Give up a task, whatever its state was.
	 * @param queue the queue
	 * @param key the row; one of another generation stays as it is
	 * @param failure its failure, {@code null} for none
	 * @return whether the row was there
	 */
	boolean bury(String queue, Key key, byte @Nullable [] failure) {
		long now = this.clock.millis();
		return isPossible(key.taskId()) && this.jdbc.update(this.dialect.steady(Sql.BURY), now, failure,
				now + CheckTimes.WRITTEN.toMillis(), queue, this.dialect.id(key.taskId()), key.generation()) == 1;
	}

	/**
	 * Let a task wait until another time. One that was dead is so no longer.
	 * @param queue the queue
	 * @param taskId its id
	 * @param oldGeneration the generation it has to have
	 * @param newGeneration the generation it gets
	 * @param dueMillis when it is due, in milliseconds since the epoch
	 * @return whether it had that generation
	 */
	boolean move(String queue, String taskId, long oldGeneration, long newGeneration, long dueMillis) {
		return isPossible(taskId) && this.jdbc.update(this.dialect.steady(Sql.MOVE), newGeneration, dueMillis,
				this.checks.written(dueMillis, this.clock.millis()), queue, this.dialect.id(taskId),
				oldGeneration) == 1;
	}

	/**
	 * Note when recurring tasks are due after a run. A time before the one that is noted
	 * changes nothing, and neither does a dead task.
	 * @param queue the queue
	 * @param runs the rows, others of another generation stay as they are, and when each
	 * is due, in milliseconds since the epoch
	 */
	void repeat(String queue, Map<Key, Long> runs) {
		Bounds.requireBatch(runs.keySet());
		List<Key> keys = possible(runs.keySet());
		long now = this.clock.millis();
		this.jdbc.batchUpdate(this.dialect.steady(Sql.REPEAT), keys.stream().map((key) -> {
			long due = Objects.requireNonNull(runs.get(key));
			return new Object[] { due, now, this.checks.repeated(due, now), queue, this.dialect.id(key.taskId()),
					key.generation(), due };
		}).toList());
	}

	/**
	 * Let dead tasks wait again. Their failures stay.
	 * @param queue the queue
	 * @param taskIds their ids
	 * @param dueMillis when they are due, in milliseconds since the epoch
	 * @return the ids of those that were dead, in the order they were named in
	 */
	List<String> revive(String queue, List<String> taskIds, long dueMillis) {
		Bounds.requireBatch(taskIds);
		List<String> possible = taskIds.stream().filter(JournalTable::isPossible).distinct().sorted().toList();
		Set<String> revived = possible.isEmpty() ? Set.of()
				: this.dialect.revive(queue, possible, dueMillis, this.checks.written(dueMillis, this.clock.millis()));
		return taskIds.stream().distinct().filter(revived::contains).toList();
	}

	/**
	 * Tasks that are in the table only and due after a time, by due time and generation.
	 * @param queue the queue
	 * @param dueAfterMillis the time, in milliseconds since the epoch
	 * @param offset how many to pass over, which costs as much as reading them
	 * @param limit how many at most
	 * @param mostBytes how large contents may be to be read, 0 for none
	 * @return the rows
	 */
	List<Row> stored(String queue, long dueAfterMillis, int offset, int limit, int mostBytes) {
		Bounds.requireLimit(limit);
		return (mostBytes > 0)
				? this.jdbc.query(Sql.LIST_STORED_WITH_ENVELOPES, this.rows.withEnvelope(),
						whereStored(List.of(mostBytes), queue, dueAfterMillis, limit, offset))
				: this.jdbc.query(Sql.LIST_STORED, this.rows.withoutEnvelope(),
						whereStored(List.of(), queue, dueAfterMillis, limit, offset));
	}

	private Object[] whereStored(List<?> first, String queue, long dueAfterMillis, Object... others) {
		long now = this.clock.millis();
		List<Object> parameters = new ArrayList<>(first);
		Collections.addAll(parameters, queue, now, this.checks.leadMillis(), dueAfterMillis,
				now + CheckTimes.WRITTEN.toMillis());
		Collections.addAll(parameters, others);
		return parameters.toArray();
	}

	/**
	 * When the first of the tasks is due that are due after a time.
	 * @param queue the queue
	 * @param dueAfterMillis the time, in milliseconds since the epoch
	 * @return in milliseconds since the epoch; empty if there is none
	 */
	Optional<Long> firstStored(String queue, long dueAfterMillis) {
		return this.jdbc.queryForList(Sql.FIRST_STORED, Long.class, whereStored(List.of(), queue, dueAfterMillis))
			.stream()
			.findFirst();
	}

	/**
	 * How many tasks wait that are due after a time, by when they are due. The database
	 * reads the index of all of them, but not of more than a limit.
	 * @param queue the queue
	 * @param dueAfterMillis the time, in milliseconds since the epoch
	 * @param upperBoundsMillis times in ascending order, in milliseconds since the epoch
	 * @param limit how many to count at most
	 * @return how many are due before the first bound, from the first and before the
	 * second, and so on; at last how many are due from the last on
	 */
	long[] countStored(String queue, long dueAfterMillis, List<Long> upperBoundsMillis, long limit) {
		Object[] parameters = whereStored(upperBoundsMillis, queue, dueAfterMillis, limit);
		long[] counts = new long[upperBoundsMillis.size() + 1];
		this.jdbc.query(Sql.histogram(upperBoundsMillis.size()), (statement) -> {
			// bit by bit, which PostgreSQL does not do with several processes at once
			statement.setFetchSize(1);
			for (int i = 0; i < parameters.length; i++) {
				statement.setObject(i + 1, parameters[i]);
			}
		}, (result) -> {
			long before = 0;
			for (int i = 0; i < counts.length; i++) {
				long until = result.getLong(i + 1);
				counts[i] = until - before;
				before = until;
			}
		});
		return counts;
	}

	/**
	 * Whether transactions that repeat what they have read keep others from inserting
	 * beside it.
	 * @return whether they do
	 */
	boolean locksGaps() {
		return this.dialect instanceof MySqlDialect;
	}

	/**
	 * Delete all rows of a queue.
	 * @param queue the queue
	 * @return how many
	 */
	long clear(String queue) {
		return this.jdbc.update(Sql.DELETE + " WHERE " + Sql.CLEARED, queue);
	}

	/**
	 * Delete some rows of a queue: all at once may take longer than a statement or a
	 * transaction is allowed to.
	 * @param queue the queue
	 * @param limit how many at most; fewer than there are where others change them
	 * @return how many
	 */
	long clear(String queue, int limit) {
		return this.jdbc.update(this.dialect.some(Sql.DELETE, Sql.CLEARED), queue, limit);
	}

	private static List<Key> possible(Collection<Key> keys) {
		return keys.stream().filter((key) -> isPossible(key.taskId())).distinct().sorted(Key.ORDER).toList();
	}

	private static boolean isPossible(String taskId) {
		return Names.objectionToTaskId(taskId) == null;
	}

}
