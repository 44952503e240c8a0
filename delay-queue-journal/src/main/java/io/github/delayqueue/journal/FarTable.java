package io.github.delayqueue.journal;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.Forecast;

/**
 * What {@link JournalTable} has of tasks that are not to be in the store yet: due beyond
 * the horizon, or looked at later than what is handed over at once, as the horizon was
 * smaller when they were written. All times are milliseconds since the epoch.
 * Thread-safe.
 */
final class FarTable {

	private static final String FAR = "WHERE queue = ? AND check_at > ? AND check_at < due_at - ? "
			+ "AND (due_at > ? OR check_at > ?) ";

	private static final String IN_ORDER = FAR + "ORDER BY queue, check_at, generation LIMIT ? OFFSET ?";

	private static final String LIST = "SELECT " + Sql.ROW + " FROM delay_queue_task " + IN_ORDER;

	private static final String LIST_WITH_ENVELOPES = "SELECT " + Sql.ROW
			+ ", CASE WHEN OCTET_LENGTH(envelope) <= ? THEN envelope END FROM delay_queue_task " + IN_ORDER;

	private static final String FIRST = "SELECT due_at FROM delay_queue_task " + FAR
			+ "ORDER BY queue, check_at LIMIT 1";

	/** Begins with as many sums as there are bounds. */
	private static final String COUNT = "COUNT(*) FROM (SELECT due_at FROM delay_queue_task " + FAR
			+ "LIMIT ?) counted";

	/** A check is before the task is due: the index ends where the last bar does. */
	private static final String COUNT_BARS = "SELECT bar, COUNT(*) FROM (SELECT due_at - MOD(due_at - ?, ?) AS bar "
			+ "FROM delay_queue_task " + FAR + "AND check_at < ? AND due_at < ? LIMIT ?) counted GROUP BY bar";

	private final JdbcTemplate jdbc;

	private final Dialect dialect;

	private final Clock clock;

	private final CheckTimes checks;

	FarTable(JdbcTemplate jdbc, Dialect dialect, Clock clock, CheckTimes checks) {
		this.jdbc = jdbc;
		this.dialect = dialect;
		this.clock = clock;
		this.checks = checks;
	}

	/**
	 * Tasks that are due after a time, by due time and generation.
	 * @param offset how many to pass over, which costs as much as reading them
	 * @param mostBytes how large contents may be to be read, 0 for none
	 */
	List<Row> list(String queue, long dueAfterMillis, int offset, int limit, int mostBytes) {
		Bounds.requireLimit(limit);
		return (mostBytes > 0)
				? this.jdbc.query(LIST_WITH_ENVELOPES, (row, number) -> this.dialect.row(row, true),
						parameters(List.of(mostBytes), queue, dueAfterMillis, limit, offset))
				: this.jdbc.query(LIST, (row, number) -> this.dialect.row(row, false),
						parameters(List.of(), queue, dueAfterMillis, limit, offset));
	}

	/** When the first of the tasks is due that are due after a time. */
	Optional<Long> first(String queue, long dueAfterMillis) {
		return this.jdbc.queryForList(FIRST, Long.class, parameters(List.of(), queue, dueAfterMillis))
			.stream()
			.findFirst();
	}

	/**
	 * How many tasks are due after a time, by when they are due. The database reads the
	 * index of all of them, but not of more than a limit.
	 * @param bounds times in ascending order
	 * @param limit how many to count at most
	 * @return how many are due before the first bound, from the first and before the
	 * second, and so on; at last how many are due from the last on
	 */
	long[] count(String queue, long dueAfterMillis, List<Long> bounds, long limit) {
		Object[] parameters = parameters(bounds, queue, dueAfterMillis, limit);
		long[] counts = new long[bounds.size() + 1];
		this.jdbc.query("SELECT " + "SUM(CASE WHEN due_at < ? THEN 1 ELSE 0 END), ".repeat(bounds.size()) + COUNT,
				(statement) -> {
					// bit by bit, which PostgreSQL does not do with several processes
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
	 * How many tasks are due after a time, by the bar that they fall due in. The database
	 * reads the index of those that may be due before the last bar ends, and counts no
	 * more than a limit.
	 */
	long[] count(String queue, long dueAfterMillis, Forecast.Bars bars, long limit) {
		long start = bars.start().toEpochMilli();
		long step = bars.step().toMillis();
		long end = bars.start(bars.count()).toEpochMilli();
		long[] counts = new long[bars.count()];
		this.jdbc.query(COUNT_BARS, (result) -> {
			counts[bars.of(result.getLong(1))] += result.getLong(2);
		}, parameters(List.of(start, step), queue, dueAfterMillis, end, end, limit));
		return counts;
	}

	private Object[] parameters(List<?> first, String queue, long dueAfterMillis, Object... others) {
		long now = this.clock.millis();
		List<Object> parameters = new ArrayList<>(first);
		Collections.addAll(parameters, queue, now, this.checks.leadMillis(), dueAfterMillis,
				now + CheckTimes.WRITTEN.toMillis());
		Collections.addAll(parameters, others);
		return parameters.toArray();
	}

}
