package io.github.delayqueue.journal;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.store.Bounds;

/**
 * What is done with dead tasks in the table of the journal. As {@link JournalTable} it
 * takes part in the transaction of the calling thread, and throws what that one throws.
 * Thread-safe.
 */
record DeadTable(JdbcTemplate jdbc, Dialect dialect, Clock clock, CheckTimes checks) {

	/** Find rows, those first that have been dead for longest. */
	List<Key> find(String queue, int offset, int limit) {
		Bounds.requireLimit(limit);
		this.dialect.avoidSorting(true);
		List<Key> found = this.jdbc.query(this.dialect.steady(Sql.DEAD_KEYS),
				(row, number) -> new Key(this.dialect.id(row, 1), row.getLong(2)), queue, limit, offset);
		this.dialect.avoidSorting(false);
		return found;
	}

	/**
	 * Delete rows of exactly these generations without waiting, unless they are dead no
	 * longer: what was redriven since somebody has looked has the same generation.
	 * @return which were deleted
	 */
	Set<Key> delete(String queue, Collection<Key> keys) {
		return delete(queue, keys, keys.size());
	}

	/**
	 * Delete some of these rows in the same way.
	 * @param limit how many: the first ones that nobody else has locked
	 */
	Set<Key> delete(String queue, Collection<Key> keys, int limit) {
		Bounds.requireBatch(keys);
		List<Key> known = keys.stream().sorted(Key.ORDER).toList();
		Set<Key> dead = known.isEmpty() ? Set.of() : this.dialect.tryLock(queue, known, Sql.AND_DEAD);
		List<Key> first = keys.stream().filter(dead::contains).limit(limit).sorted(Key.ORDER).toList();
		return first.isEmpty() ? Set.of() : this.dialect.delete(queue, first);
	}

	/** Give up a task of this generation, whatever its state was. */
	boolean deadLetter(String queue, Key key, byte @Nullable [] failure) {
		long now = this.clock.millis();
		return Key.isPossible(key.taskId()) && this.jdbc.update(this.dialect.steady(Sql.DEAD_LETTER), now, failure,
				CheckTimes.DIED + now + CheckTimes.WRITTEN.toMillis(), queue, this.dialect.id(key.taskId()),
				key.generation()) == 1;
	}

	/**
	 * Let dead tasks wait again. Their failures stay.
	 * @param dueMillis until when each
	 * @return the ids of those that were dead
	 */
	Set<String> revive(String queue, List<String> taskIds, ToLongFunction<String> dueMillis) {
		Bounds.requireBatch(taskIds);
		long now = this.clock.millis();
		List<String> possible = taskIds.stream().filter(Key::isPossible).distinct().sorted().toList();
		int[] updated = this.jdbc.batchUpdate(this.dialect.steady(Sql.REVIVE), possible.stream().map((id) -> {
			long due = dueMillis.applyAsLong(id);
			return new Object[] { due, this.checks.written(due, now), queue, this.dialect.id(id) };
		}).toList());
		return IntStream.range(0, updated.length)
			.filter((i) -> updated[i] != 0)
			.mapToObj(possible::get)
			.collect(Collectors.toSet());
	}

}
