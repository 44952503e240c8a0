package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.store.Bounds;

/**
 * Tasks that are in the table only. Each statement reads as much of the index as it
 * answers, and no other row.
 */
record FarTable(JdbcTemplate jdbc, Dialect dialect) {

	private static final String FAR = "FROM delay_queue_task WHERE queue = ? AND check_at >= " + CheckTimes.FAR
			+ " AND check_at < " + CheckTimes.RESTING;

	/** By due time, where the horizon was always the same. */
	private static final String ORDER = " ORDER BY queue, check_at, generation LIMIT ?";

	private static final String LIST = "SELECT " + Sql.ROW
			+ ", CASE WHEN OCTET_LENGTH(envelope) <= ? THEN envelope END " + FAR + ORDER + " OFFSET ?";

	private static final String FIRST = "SELECT due_at " + FAR + ORDER;

	private static final String COUNT = "COUNT(*) FROM (SELECT due_at " + FAR + ORDER + ") counted";

	/** A check is before the task is due: the index ends where the last bar does. */
	private static final String COUNT_BARS = "SELECT bar, COUNT(*) FROM (SELECT due_at - MOD(due_at - ?, ?) AS bar "
			+ FAR + " AND check_at < " + CheckTimes.FAR + " + ?" + ORDER + ") counted GROUP BY bar";

	/** By due time and generation, with contents of so many bytes at most. */
	List<Row> list(String queue, int offset, int limit, int mostBytes) {
		Bounds.requireLimit(limit);
		return this.jdbc.query(LIST, (row, number) -> this.dialect.row(row, true), mostBytes, queue, limit, offset);
	}

	Optional<Long> first(String queue) {
		return this.jdbc.queryForList(FIRST, Long.class, queue, 1).stream().findFirst();
	}

	/**
	 * How many of the first tasks are due before each bound and not before the last one;
	 * at last how many later.
	 */
	long[] count(String queue, List<Long> bounds, long limit) {
		List<Object> parameters = new ArrayList<>(bounds);
		parameters.addAll(List.of(queue, limit));
		long[] counts = new long[bounds.size() + 1];
		this.jdbc.query("SELECT " + "SUM(CASE WHEN due_at < ? THEN 1 ELSE 0 END), ".repeat(bounds.size()) + COUNT,
				(result) -> {
					long before = 0;
					for (int i = 0; i < counts.length; i++) {
						long until = result.getLong(i + 1);
						counts[i] = until - before;
						before = until;
					}
				}, parameters.toArray());
		return counts;
	}

	/**
	 * How many of the first tasks fall due in each bar; at last how many after all bars.
	 */
	long[] count(String queue, Forecast.Bars bars, long limit) {
		long[] counts = new long[bars.count() + 1];
		this.jdbc.query(COUNT_BARS, (result) -> {
			counts[bars.of(result.getLong(1))] += result.getLong(2);
		}, bars.start().toEpochMilli(), bars.step().toMillis(), queue, bars.start(bars.count()).toEpochMilli(), limit);
		return counts;
	}

}
