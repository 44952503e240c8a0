package io.github.delayqueue.journal;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The statements that all databases understand. The order of rows begins with what is the
 * same in all of them, because H2 uses an index only for an order that has all of its
 * columns.
 */
final class Sql {

	static final String INSERT = """
			INSERT INTO delay_queue_task
			(queue, task_id, generation, due_at, priority, envelope, check_at, revision)
			""";

	static final String VALUES = "(?, ?, ?, ?, ?, ?, ?, 1)";

	/** What {@link Dialect#row} reads, and with an envelope in addition. */
	static final String ROW = "task_id, generation, due_at, priority, dead_at, failure, check_at";

	static final String ROW_WITH_ENVELOPE = "SELECT " + ROW + ", envelope FROM delay_queue_task ";

	static final String FIND = ROW_WITH_ENVELOPE + "WHERE queue = ? AND task_id = ?";

	static final String LOCK = FIND + " FOR UPDATE";

	static final String ANY = "SELECT queue FROM delay_queue_task WHERE queue = ? ORDER BY queue, check_at LIMIT 1";

	static final String ANY_TO_BE_CHECKED = """
			SELECT queue FROM delay_queue_task WHERE queue = ? AND check_at >= ? AND check_at <= ?
			ORDER BY queue, check_at LIMIT 1""";

	/** Which rows a loader takes, and in what order. */
	static final String TO_BE_CHECKED = """
			WHERE queue = ? AND check_at >= ? AND check_at <= ? ORDER BY queue, check_at LIMIT ?""";

	/**
	 * Parameters are the time, {@link CheckTimes#handedMillis},
	 * {@link CheckTimes#leadMillis} and the time three times.
	 */
	static final String MOVED_ON = String.format(Locale.ROOT, """
			check_at = CASE WHEN dead_at IS NOT NULL THEN ? + %3$d WHEN due_at > ? THEN due_at - ?
			WHEN due_at > ? THEN due_at + %1$d ELSE ? + LEAST(GREATEST(? - due_at, %1$d), %2$d) END""",
			CheckTimes.OVERDUE.toMillis(), CheckTimes.RAREST.toMillis(),
			CheckTimes.DIED + CheckTimes.OVERDUE.toMillis());

	static final String RESTING = "check_at = CASE WHEN dead_at IS NULL THEN check_at ELSE dead_at + "
			+ CheckTimes.RESTING + " END";

	static final String RECHECKED = "check_at = LEAST(check_at, ?)";

	/** The dead ones after all others: parameters are the time twice, and a later one. */
	static final String LOST = "check_at = CASE WHEN check_at <= ? THEN check_at WHEN dead_at IS NULL "
			+ "THEN LEAST(due_at, ?) ELSE ? END";

	/** Whatever the store may have had that is to be looked at later than that. */
	static final String MAYBE_LOST = """
			SELECT task_id, generation, check_at FROM delay_queue_task WHERE queue = ? AND check_at > ? AND check_at <= ?
			AND (check_at < ? OR generation <= ?)
			ORDER BY queue DESC, check_at DESC, generation DESC LIMIT ?""";

	/** Not those that are about to be looked at after a loss. */
	static final String DEAD_KEYS = "SELECT task_id, generation FROM delay_queue_task WHERE queue = ? AND check_at >= "
			+ CheckTimes.RESTING + " ORDER BY queue, check_at LIMIT ? OFFSET ?";

	static final String AND_DEAD = " AND dead_at IS NOT NULL";

	static final String DEAD_LETTER = """
			UPDATE delay_queue_task SET dead_at = ?, failure = ?, check_at = ?
			WHERE queue = ? AND task_id = ? AND generation = ?""";

	static final String MOVE = """
			UPDATE delay_queue_task SET dead_at = NULL, generation = ?, due_at = ?, check_at = ?
			WHERE queue = ? AND task_id = ? AND generation = ?""";

	static final String REVIVE = """
			UPDATE delay_queue_task SET dead_at = NULL, due_at = ?, check_at = ?
			WHERE queue = ? AND task_id = ?""" + AND_DEAD;

	/**
	 * A check that is due stays so: the store may have been lost. Only ever forward: a
	 * late run must not undo another.
	 */
	static final String REPEAT = """
			UPDATE delay_queue_task SET due_at = ?, check_at = CASE WHEN check_at <= ? THEN check_at ELSE ? END
			WHERE queue = ? AND task_id = ? AND generation = ? AND dead_at IS NULL AND due_at < ?""";

	static final String DELETE_ALL = "DELETE FROM delay_queue_task WHERE queue = ?";

	static final String EPOCH = "SELECT incarnation FROM delay_queue_epoch WHERE partition_name = ?";

	static final String EPOCHS = "SELECT partition_name, incarnation, beat, updated_at FROM delay_queue_epoch";

	/** A time far ahead is one of a clock that was set back since. */
	static final String CLAIM_EPOCHS = """
			UPDATE delay_queue_epoch SET updated_at = ?
			WHERE (updated_at < ? OR updated_at > ?) AND partition_name IN""";

	/** As long as they are claimed, which the time tells. */
	static final String RENEW_EPOCHS = """
			UPDATE delay_queue_epoch SET beat = beat + ?, updated_at = ?
			WHERE updated_at = ? AND partition_name IN""";

	static final String INSERT_EPOCH = """
			INSERT INTO delay_queue_epoch (partition_name, incarnation, beat, updated_at) VALUES (?, ?, 0, ?)""";

	static final String REMEMBER = """
			UPDATE delay_queue_epoch SET incarnation = ?, beat = ?, updated_at = ?
			WHERE partition_name = ? AND incarnation = ? AND beat = ?""";

	static final String HOLD_EPOCH = "UPDATE delay_queue_epoch SET updated_at = ? WHERE partition_name = ?";

	private Sql() {
	}

	static <T> Stream<List<T>> parts(List<T> all, int most) {
		return IntStream.iterate(0, (first) -> first < all.size(), (first) -> first + most)
			.mapToObj((first) -> all.subList(first, Math.min(first + most, all.size())));
	}

	static String placeholders(List<?> elements) {
		return " (" + String.join(", ", Collections.nCopies(elements.size(), "?")) + ")";
	}

	static Object[] parameters(List<?> first, List<?> others) {
		return Stream.concat(first.stream(), others.stream()).toArray();
	}

}
