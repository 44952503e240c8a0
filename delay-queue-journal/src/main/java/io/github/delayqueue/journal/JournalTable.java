package io.github.delayqueue.journal;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.Bounds;

/**
 * The table of the journal. A row is a task that is not finished, its key the queue and
 * the task's id. Its generation rises whenever the task is scheduled or rescheduled.
 * <p>
 * Every call takes part in the transaction of the calling thread and never begins one.
 * Locks are worth something only in a transaction, and so are the answers of
 * {@link #write} and {@link #delete}. An id that no task can have has no row: databases
 * are not asked for it.
 *
 * @param autoCommit whether connections commit each statement outside of a transaction
 */
record JournalTable(JdbcTemplate jdbc, Dialect dialect, InstantSource clock, CheckTimes checks, boolean autoCommit,
		LoaderTable loader, FarTable far) {

	static JournalTable of(DataSource dataSource, InstantSource clock, Duration timeout, Duration horizon,
			DatabaseProduct product) {
		JdbcTemplate jdbc = product.jdbc(dataSource, timeout);
		Dialect dialect = product.dialect(jdbc);
		CheckTimes checks = new CheckTimes(horizon);
		return new JournalTable(jdbc, dialect, clock, checks,
				Boolean.TRUE.equals(jdbc.execute(Connection::getAutoCommit)),
				new LoaderTable(jdbc, product.jdbc(dataSource, timeout), dialect, clock, checks),
				new FarTable(jdbc, dialect));
	}

	/** Whether {@link #write} needs no transaction, unless it rejects. */
	boolean replacesAtOnce() {
		return this.autoCommit && this.dialect.replacesAtOnce();
	}

	/** Whether {@link #delete} needs no transaction. */
	boolean changesAtOnce() {
		return this.autoCommit && this.dialect.deletesAtOnce();
	}

	boolean probe() {
		return !this.jdbc.queryForList("SELECT 1", Long.class).isEmpty();
	}

	/**
	 * Write tasks with distinct ids. The generation of a row is the time in microseconds,
	 * but above that of the row it replaces, and above another one.
	 */
	List<WriteResult> write(String queue, List<Arrival> arrivals, long above) {
		Bounds.requireBatch(arrivals);
		Instant now = this.clock.instant();
		long generation = Generation.above(above, now);
		// two batches with the same ids lock them in the same order
		Map<Boolean, List<Row>> rows = arrivals.stream()
			.sorted(Comparator.comparing(Arrival::taskId))
			.collect(
					Collectors.partitioningBy(Arrival::replaces,
							Collectors.mapping((arrival) -> arrival.toRow(generation,
									this.checks.written(arrival.dueMillis(), now.toEpochMilli(), arrival.isDelayed())),
									Collectors.toList())));
		Map<String, WriteResult> written = new HashMap<>();
		if (!rows.get(true).isEmpty()) {
			boolean generated = arrivals.stream().allMatch(Arrival::isNew);
			written.putAll(this.dialect.replace(queue, rows.get(true), generated));
		}
		if (!rows.get(false).isEmpty()) {
			written.putAll(this.dialect.reject(queue, rows.get(false)));
		}
		assert written.values()
			.stream()
			.allMatch((row) -> row.outcome() == ScheduleOutcome.REJECTED || row.generation() >= generation) : written;
		return arrivals.stream().map((arrival) -> Objects.requireNonNull(written.get(arrival.taskId()))).toList();
	}

	/** Without their envelopes, by id. */
	Map<String, Row> versions(String queue, Collection<String> taskIds) {
		Bounds.requireBatch(taskIds);
		List<String> asked = taskIds.stream().filter(Key::isPossible).distinct().toList();
		return asked.isEmpty() ? Map.of()
				: this.dialect.versions(queue, asked)
					.stream()
					.collect(Collectors.toMap(Row::taskId, Function.identity()));
	}

	Optional<Row> find(String queue, String taskId) {
		return one(this.dialect.steady(Sql.FIND), queue, taskId);
	}

	Optional<Row> lock(String queue, String taskId) {
		return one(this.dialect.steady(Sql.LOCK), queue, taskId);
	}

	/** Nobody is kept from inserting a missing row, nor any beside it. */
	Optional<Row> lockIfThere(String queue, String taskId) {
		return (this.dialect.locksGaps() && versions(queue, List.of(taskId)).isEmpty()) ? Optional.empty()
				: lock(queue, taskId);
	}

	private Optional<Row> one(String sql, String queue, String taskId) {
		return Key.isPossible(taskId)
				? this.jdbc.query(sql, (row, number) -> this.dialect.row(row, true), queue, this.dialect.id(taskId))
					.stream()
					.findFirst()
				: Optional.empty();
	}

	/** Lock rows of these generations, but for those that others have locked. */
	Set<Key> tryLock(String queue, Collection<Key> keys) {
		List<Key> possible = possible(keys);
		return possible.isEmpty() ? Set.of() : among(possible, this.dialect.tryLock(queue, possible, ""));
	}

	/** In the same way. */
	Set<Key> delete(String queue, Collection<Key> keys) {
		List<Key> possible = possible(keys);
		return possible.isEmpty() ? Set.of() : among(possible, this.dialect.delete(queue, possible));
	}

	/** Let a task wait, even if it was dead. In the store it stays, however far it is. */
	boolean move(String queue, String taskId, long oldGeneration, long newGeneration, long dueMillis, boolean delayed,
			boolean inStore) {
		long now = this.clock.millis();
		long check = (inStore && dueMillis > this.checks.horizonMillis(now)) ? this.checks.handedOver(dueMillis, now)
				: this.checks.written(dueMillis, now, delayed);
		return Key.isPossible(taskId) && this.jdbc.update(this.dialect.steady(Sql.MOVE), newGeneration, dueMillis,
				check, queue, this.dialect.id(taskId), oldGeneration) == 1;
	}

	/**
	 * Note when recurring tasks are due after a run, unless the time is earlier than the
	 * one that is noted.
	 */
	void repeat(String queue, Map<Key, Long> runs) {
		long now = this.clock.millis();
		this.jdbc.batchUpdate(this.dialect.steady(Sql.REPEAT), possible(runs.keySet()).stream().map((key) -> {
			long due = Objects.requireNonNull(runs.get(key));
			return new Object[] { due, now, this.checks.handedOver(due, now), queue, this.dialect.id(key.taskId()),
					key.generation(), due };
		}).toList());
	}

	/** Those first that have been dead for longest. */
	List<Key> findDead(String queue, int offset, int limit) {
		Bounds.requireLimit(limit);
		this.dialect.avoidSorting(true);
		List<Key> found = this.jdbc.query(this.dialect.steady(Sql.DEAD_KEYS),
				(row, number) -> new Key(this.dialect.id(row, 1), row.getLong(2)), queue, limit, offset);
		this.dialect.avoidSorting(false);
		return found;
	}

	/** Delete what is still dead: a task that was redriven keeps its generation. */
	Set<Key> deleteDead(String queue, Collection<Key> keys) {
		return deleteDead(queue, keys, keys.size());
	}

	/** The same of the first {@code limit} rows that nobody else has locked. */
	Set<Key> deleteDead(String queue, Collection<Key> keys, int limit) {
		Bounds.requireBatch(keys);
		List<Key> known = keys.stream().sorted(Key.ORDER).toList();
		Set<Key> dead = known.isEmpty() ? Set.of() : among(known, this.dialect.tryLock(queue, known, Sql.AND_DEAD));
		List<Key> first = keys.stream().filter(dead::contains).limit(limit).sorted(Key.ORDER).toList();
		return first.isEmpty() ? Set.of() : among(first, this.dialect.delete(queue, first));
	}

	Set<Key> deleteDead(String queue, Collection<String> taskIds, Predicate<Row> which) {
		return deleteDead(queue,
				versions(queue, taskIds).values().stream().filter(Row::dead).filter(which).map(Row::key).toList());
	}

	boolean deadLetter(String queue, Key key, byte @Nullable [] failure) {
		long now = this.clock.millis();
		return Key.isPossible(key.taskId()) && this.jdbc.update(this.dialect.steady(Sql.DEAD_LETTER), now, failure,
				CheckTimes.DIED + now + CheckTimes.WRITTEN.toMillis(), queue, this.dialect.id(key.taskId()),
				key.generation()) == 1;
	}

	/** Let dead letters wait again, and answer which were dead. Their failures stay. */
	Set<String> revive(String queue, List<String> taskIds, ToLongFunction<String> dueMillis) {
		Bounds.requireBatch(taskIds);
		long now = this.clock.millis();
		List<String> possible = taskIds.stream().filter(Key::isPossible).distinct().sorted().toList();
		int[] updated = this.jdbc.batchUpdate(this.dialect.steady(Sql.REVIVE), possible.stream().map((id) -> {
			long due = dueMillis.applyAsLong(id);
			return new Object[] { due, this.checks.written(due, now, true), queue, this.dialect.id(id) };
		}).toList());
		return IntStream.range(0, updated.length)
			.filter((i) -> updated[i] != 0)
			.mapToObj(possible::get)
			.collect(Collectors.toSet());
	}

	/** Whether repeatable reads keep others from inserting beside what was read. */
	boolean locksGaps() {
		return this.dialect instanceof MySqlDialect;
	}

	boolean hasRows(String queue) {
		return !this.jdbc.queryForList(this.dialect.steady(Sql.ANY), String.class, queue).isEmpty();
	}

	long clear(String queue) {
		return this.jdbc.update(Sql.DELETE_ALL, queue);
	}

	/** Delete some rows: all at once may take longer than a transaction is allowed to. */
	long clear(String queue, int limit) {
		return this.jdbc.update(this.dialect.deletingSome(), queue, limit);
	}

	/** Rows that were asked for, and of the generations that were. */
	private static Set<Key> among(List<Key> asked, Set<Key> answered) {
		assert Set.copyOf(asked).containsAll(answered) : answered + " of " + asked;
		return answered;
	}

	private static List<Key> possible(Collection<Key> keys) {
		Bounds.requireBatch(keys);
		return Key.inOrder(keys).stream().filter((key) -> Key.isPossible(key.taskId())).toList();
	}

}
