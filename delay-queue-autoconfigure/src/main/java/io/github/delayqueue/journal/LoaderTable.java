package io.github.delayqueue.journal;

import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.Epoch;

/**
 * What loaders do with the table of the journal: they take rows to be handed over, let
 * them be handed over again, and remember of which incarnation the store was. As
 * {@link JournalTable} it takes part in the transaction of the calling thread, without
 * which its locks are worth nothing, and throws what that one throws. Thread-safe.
 */
final class LoaderTable {

	/** When a batch has so many bytes, no further row is added to it. */
	static final long MAX_TAKEN_BYTES = 16L * 1024 * 1024;

	/** Large envelopes must not all be in memory before they are counted. */
	private static final int FETCH_SIZE = 64;

	private final JdbcTemplate jdbc;

	private final JdbcTemplate fetching;

	private final Dialect dialect;

	private final RowReader rows;

	private final Clock clock;

	/**
	 * The other half of a table.
	 * @param jdbc the access
	 * @param fetching another one, for large rows
	 * @param dialect the statements of the database
	 * @param clock the clock for when a row was written
	 */
	LoaderTable(JdbcTemplate jdbc, JdbcTemplate fetching, Dialect dialect, Clock clock) {
		this.jdbc = jdbc;
		this.fetching = fetching;
		fetching.setFetchSize(FETCH_SIZE);
		this.dialect = dialect;
		this.rows = new RowReader(dialect);
		this.clock = clock;
	}

	/**
	 * Take waiting tasks, the earliest first, that nobody else has taken: until the
	 * transaction ends, they are passed over by others.
	 * @param queue the queue
	 * @param dueUntilMillis until when they are due, in milliseconds since the epoch
	 * @param untouchedSinceMillis until when they were written
	 * @param limit how many at most; fewer once they have {@link #MAX_TAKEN_BYTES}
	 * @return the rows, with envelopes
	 */
	List<Row> takeWaiting(String queue, long dueUntilMillis, long untouchedSinceMillis, int limit) {
		return take(new Taking(queue, RowState.WAITING, dueUntilMillis, untouchedSinceMillis, limit));
	}

	/**
	 * Take tasks that have been handed over, in the same way.
	 * @param queue the queue
	 * @param dueUntilMillis until when they were due, in milliseconds since the epoch
	 * @param untouchedSinceMillis until when they were written
	 * @param limit how many at most; fewer once they have {@link #MAX_TAKEN_BYTES}
	 * @return the rows, with envelopes
	 */
	List<Row> takeHanded(String queue, long dueUntilMillis, long untouchedSinceMillis, int limit) {
		return take(new Taking(queue, RowState.HANDED, dueUntilMillis, untouchedSinceMillis, limit));
	}

	private List<Row> take(Taking taking) {
		Bounds.requireLimit(taking.limit());
		return this.dialect.take(this.fetching, taking, this.rows.upTo(MAX_TAKEN_BYTES));
	}

	/**
	 * Dead tasks by id.
	 * @param queue the queue
	 * @param afterTaskId the id after which to begin, empty for the first
	 * @param untouchedSinceMillis until when they were written
	 * @param limit how many at most; fewer once they have {@link #MAX_TAKEN_BYTES}
	 * @return the rows, with envelopes; none if there are no more
	 */
	List<Row> dead(String queue, String afterTaskId, long untouchedSinceMillis, int limit) {
		Bounds.requireLimit(limit);
		return Objects.requireNonNull(this.fetching.query(this.dialect.dead(), this.rows.upTo(MAX_TAKEN_BYTES), queue,
				this.dialect.id(afterTaskId), untouchedSinceMillis, limit));
	}

	/**
	 * Let some of the tasks wait that have been handed over, and note the time. All of
	 * them at once may take longer than a statement or a transaction is allowed to.
	 * @param queue the queue
	 * @param exceptAfterMillis those that were written after that are left alone, because
	 * they are handed over again meanwhile, in milliseconds since the epoch
	 * @param exceptUntilMillis until when: beyond that, a clock has been set back
	 * @param limit how many at most
	 * @return how many
	 */
	int reset(String queue, long exceptAfterMillis, long exceptUntilMillis, int limit) {
		Bounds.requireLimit(limit);
		List<Key> keys = this.jdbc
			.query(Sql.HANDED, (result, number) -> new Key(this.dialect.id(result, 1), result.getLong(2)), queue,
					exceptAfterMillis, exceptUntilMillis, limit)
			.stream()
			.sorted(Key.ORDER)
			.toList();
		if (!keys.isEmpty()) {
			this.dialect.mark(queue, keys, RowState.HANDED, RowState.WAITING, this.clock.millis());
		}
		return keys.size();
	}

	/**
	 * Let nobody {@linkplain JournalTable#confirm confirm} that tasks which wait have
	 * been handed over, if it was before now.
	 * @param queue the queue
	 * @param dueUntilMillis until when they are due, in milliseconds since the epoch
	 * @param writtenSinceMillis since when they were written: of others nobody remembers
	 * it
	 * @param limit how many tasks at most
	 * @return how many tasks these are
	 */
	int disown(String queue, long dueUntilMillis, long writtenSinceMillis, int limit) {
		return this.jdbc.update(this.dialect.some(Sql.DISOWN, Sql.DISOWNED), queue, dueUntilMillis, writtenSinceMillis,
				limit);
	}

	/**
	 * The partitions of whose stores something is remembered.
	 * @return their names
	 */
	List<String> partitionNames() {
		return this.jdbc.queryForList(Sql.PARTITIONS, String.class);
	}

	/**
	 * What is remembered of the store of a partition. Nobody else gets it until the
	 * transaction ends.
	 * @param partition the partition
	 * @param renewedBeforeMillis what has been remembered at that time or later need not
	 * be renewed, in milliseconds since the epoch
	 * @return the epoch, one with an empty incarnation and beat 0 if nothing has been
	 * remembered yet; empty if it need not be renewed, or somebody else has it
	 */
	Optional<Epoch> lockEpoch(String partition, long renewedBeforeMillis) {
		List<Epoch> locked = this.jdbc.query(Sql.LOCK_EPOCH,
				(result, number) -> new Epoch(result.getString(1), result.getLong(2)), partition, renewedBeforeMillis);
		if (!locked.isEmpty()) {
			return Optional.of(locked.get(0));
		}
		Long known = this.jdbc.queryForObject(Sql.HAS_EPOCH, Long.class, partition);
		if (known != null && known > 0) {
			return Optional.empty();
		}
		return this.dialect.insertEpoch(partition, this.clock.millis()) ? Optional.of(Epoch.NONE) : Optional.empty();
	}

	/**
	 * Remember the epoch of the store of a partition, which is locked.
	 * @param partition the partition
	 * @param epoch the epoch
	 */
	void remember(String partition, Epoch epoch) {
		this.jdbc.update(Sql.REMEMBER, epoch.incarnation(), epoch.beat(), this.clock.millis(), partition);
	}

}
