package io.github.delayqueue.journal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.Names;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.TaskStore;

/**
 * What loaders do with the table: they take rows to be handed over, and remember of which
 * incarnation the store was.
 *
 * @param fetching another access, for large rows
 */
record LoaderTable(JdbcTemplate jdbc, JdbcTemplate fetching, Dialect dialect, InstantSource clock, CheckTimes checks) {

	/** When a batch has so many bytes, no further row is added to it. */
	static final long MAX_TAKEN_BYTES = 16L * 1024 * 1024;

	/** Large envelopes must not all be in memory before they are counted. */
	private static final int FETCH_SIZE = 64;

	/** Databases bound the parameters of a statement. */
	private static final int MOST_AT_ONCE = 6000;

	private static final long[] FAR_FIRST = { CheckTimes.FAR, 0, CheckTimes.DIED };

	private static final long[] FAR_SECOND = { 0, CheckTimes.FAR, CheckTimes.DIED };

	/** For so long nobody else asks the store. */
	static final Duration CLAIM = Duration.ofSeconds(10);

	LoaderTable {
		fetching.setFetchSize(FETCH_SIZE);
	}

	/**
	 * Take rows that are to be looked at, all of one kind, and note when to look at them
	 * again: others pass them over until the transaction ends.
	 * @param farFirst whether those that only the table has come first; dead ones come
	 * last
	 */
	List<Row> take(String queue, int limit, boolean farFirst, LookedAt lookedAt) {
		Bounds.requireLimit(limit);
		long now = this.clock.millis();
		return LongStream.of(farFirst ? FAR_FIRST : FAR_SECOND)
			.mapToObj((range) -> take(queue, range, lookedAt.until(range), now, limit))
			.filter((rows) -> !rows.isEmpty())
			.findFirst()
			.orElse(List.of());
	}

	private List<Row> take(String queue, long range, long from, long now, int limit) {
		List<Row> rows = this.dialect.take(this.fetching, queue, range + from, range + now, limit, this::read);
		update(queue, rows.stream().map(Row::key).toList(), Sql.MOVED_ON, now, this.checks.handedMillis(now),
				this.checks.leadMillis(), now, now, now);
		return rows;
	}

	/** Which queues have rows to be taken, perhaps some more. */
	Set<String> toBeTaken(Map<String, LookedAt> queues) {
		long now = this.clock.millis();
		List<Dialect.Span> spans = queues.entrySet()
			.stream()
			.flatMap((queue) -> LongStream.of(FAR_SECOND)
				.mapToObj((range) -> new Dialect.Span(queue.getKey(), range + queue.getValue().until(range),
						range + now)))
			.toList();
		return Sql.parts(spans, MOST_AT_ONCE)
			.map((part) -> this.dialect.toBeChecked(this.jdbc, part))
			.flatMap(Set::stream)
			.collect(Collectors.toSet());
	}

	/** What is not read is not fetched from a database that answers bit by bit. */
	private List<Row> read(ResultSet result) throws SQLException {
		List<Row> rows = new ArrayList<>();
		long bytes = 0;
		while (bytes < MAX_TAKEN_BYTES && result.next()) {
			Row row = this.dialect.row(result, true);
			rows.add(row);
			bytes += Objects.requireNonNull(row.envelope()).length;
		}
		return rows;
	}

	/** Look at rows again at once, unless somebody is to do so. */
	boolean recheck(String queue, Collection<Key> keys) {
		return update(queue, keys, Sql.RECHECKED, this.clock.millis());
	}

	/** Do not look at tasks that are still dead until there is a loss. */
	boolean rest(String queue, Collection<Key> keys) {
		return update(queue, keys, Sql.RESTING);
	}

	private boolean update(String queue, Collection<Key> keys, String changes, Object... values) {
		if (!keys.isEmpty()) {
			this.dialect.update(queue, Key.inOrder(keys), changes, values);
		}
		return !keys.isEmpty();
	}

	/**
	 * Look again at some of the rows that a lost store may have had, going backwards.
	 * What is looked at until a millisecond after the loss anyway is left alone, so that
	 * no row is found twice.
	 * @return where to go on, {@code null} if there are no more
	 */
	@Nullable CheckPosition recheckLost(String queue, long lostAt, CheckPosition from, int limit) {
		List<CheckPosition> found = new ArrayList<>();
		this.dialect.avoidSorting(true);
		List<Key> keys = this.jdbc.query(this.dialect.locking(Sql.MAYBE_LOST), (result, number) -> {
			found.add(new CheckPosition(from.after(), result.getLong(3), result.getLong(2)));
			return new Key(this.dialect.id(result, 1), result.getLong(2));
		}, queue, Math.max(lostAt + 1, from.after()), from.checkMillis(), from.checkMillis(), from.generation(), limit);
		Sql.parts(keys, TaskStore.MAX_BATCH)
			.forEach((batch) -> update(queue, batch, Sql.LOST, lostAt, lostAt, lostAt + 1));
		return (found.size() < limit) ? null : last(found, lostAt + CheckTimes.WRITTEN.toMillis());
	}

	/**
	 * PostgreSQL answers what was written anew meanwhile as it is then, out of order.
	 * What else it may pass over so is looked at as soon as such a row.
	 */
	private static CheckPosition last(List<CheckPosition> found, long soonMillis) {
		return found.stream()
			.filter((position) -> position.checkMillis() > soonMillis)
			.reduce((earlier, later) -> later)
			.orElse(found.get(found.size() - 1));
	}

	/** Where a walk through the rows is, of which only those after a time count. */
	record CheckPosition(long after, long checkMillis, long generation) {
	}

	/** The table has other rows as well. */
	List<RememberedEpoch> epochs() {
		return this.jdbc.query(Sql.EPOCHS, RememberedEpoch::of)
			.stream()
			.filter((epoch) -> Names.isQueue(epoch.queue()))
			.toList();
	}

	/**
	 * Claim what is remembered of some partitions, unless it was renewed lately. Nobody
	 * else gets it until it has been renewed or changed, or some time has passed.
	 * @param untilMillis until when, by which the claimed ones are told from others
	 */
	List<RememberedEpoch> claimEpochs(List<String> partitions, long renewedBeforeMillis, long untilMillis) {
		return ordered(partitions).flatMap((part) -> claim(part, renewedBeforeMillis, untilMillis).stream()).toList();
	}

	/** By a lock, so that no replica answers. */
	private List<RememberedEpoch> claim(List<String> partitions, long renewedBeforeMillis, long untilMillis) {
		String names = Sql.placeholders(partitions);
		int claimed = this.jdbc.update(Sql.CLAIM_EPOCHS + names,
				Sql.parameters(List.of(untilMillis, renewedBeforeMillis, untilMillis + CLAIM.toMillis()), partitions));
		return (claimed == 0) ? List.of()
				: this.jdbc.query(Sql.EPOCHS + " WHERE updated_at = ? AND partition_name IN" + names + " FOR UPDATE",
						RememberedEpoch::of, Sql.parameters(List.of(untilMillis), partitions));
	}

	/** Note a further beat of partitions that are claimed until then. */
	void renewEpochs(List<String> partitions, long untilMillis) {
		each(partitions, Sql.RENEW_EPOCHS, 1, this.clock.millis(), untilMillis);
	}

	void giveBackEpochs(List<String> partitions, long untilMillis) {
		each(partitions, Sql.RENEW_EPOCHS, 0, 0, untilMillis);
	}

	private void each(List<String> partitions, String sql, Object... values) {
		ordered(partitions).forEach(
				(part) -> this.jdbc.update(sql + Sql.placeholders(part), Sql.parameters(Arrays.asList(values), part)));
	}

	/** In the same order by all, so that two do not wait for each other. */
	private static Stream<List<String>> ordered(List<String> partitions) {
		return Sql.parts(partitions.stream().sorted().toList(), MOST_AT_ONCE);
	}

	/**
	 * Begin to remember something by a name, claimed until then.
	 * @return what is remembered by that name already
	 */
	Optional<String> insertEpoch(String name, String incarnation, long untilMillis) {
		List<String> known = this.jdbc.queryForList(Sql.EPOCH, String.class, name);
		if (known.isEmpty()) {
			try {
				this.jdbc.update(Sql.INSERT_EPOCH, name, incarnation, untilMillis);
			}
			catch (DuplicateKeyException ex) {
				throw new ConcurrencyFailureException("Another instance has written it at the same time", ex);
			}
		}
		return known.stream().findFirst();
	}

	int holdEpoch(String partition, Duration howLong) {
		return this.jdbc.update(Sql.HOLD_EPOCH, this.clock.millis() + howLong.toMillis(), partition);
	}

	/** Renew what is remembered, unless somebody else has done so since. */
	boolean remember(String partition, Epoch before, Epoch now) {
		return this.jdbc.update(Sql.REMEMBER, now.incarnation(), now.beat(), this.clock.millis(), partition,
				before.incarnation(), before.beat()) == 1;
	}

}
