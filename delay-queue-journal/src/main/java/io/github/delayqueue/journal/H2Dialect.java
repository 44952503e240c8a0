package io.github.delayqueue.journal;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

/**
 * Statements for H2, in any of its modes. A statement costs no round trip there, so most
 * are for one row.
 */
final class H2Dialect extends ListDialect {

	private static final String REPLACE = """
			UPDATE delay_queue_task SET generation = GREATEST(?, generation + 1), due_at = ?, priority = ?, envelope = ?,
			check_at = ?, dead_at = NULL, failure = NULL, revision = revision + 1
			WHERE queue = ? AND task_id = ?""";

	private static final String WRITTEN = """
			SELECT revision, generation FROM delay_queue_task WHERE queue = ? AND task_id = ?""";

	private static final String KEY = "WHERE queue = ? AND task_id = ? AND generation = ?";

	H2Dialect(JdbcTemplate jdbc) {
		super(jdbc, "SELECT task_id, generation FROM delay_queue_task", "DELETE FROM delay_queue_task");
	}

	@Override
	public Map<String, WriteResult> replace(String queue, List<Row> rows, boolean generated) {
		return rows.stream().collect(Collectors.toMap(Row::taskId, (row) -> {
			WriteResult replaced = generated ? null : replace(queue, row);
			return (replaced != null) ? replaced : insert(queue, row, () -> replace(queue, row));
		}));
	}

	private @Nullable WriteResult replace(String queue, Row row) {
		int replaced = jdbc().update(REPLACE, row.generation(), row.dueMillis(), row.priority().name(), row.envelope(),
				row.checkMillis(), queue, row.taskId());
		return (replaced == 0) ? null : jdbc().queryForObject(WRITTEN,
				(result, number) -> WriteResult.ofRevision(result.getInt(1), result.getLong(2)), queue, row.taskId());
	}

	@Override
	public void update(String queue, List<Key> keys, String changes, Object... values) {
		jdbc().batchUpdate("UPDATE delay_queue_task SET " + changes + " " + KEY,
				keys.stream()
					.map((key) -> Stream.concat(Arrays.stream(values), Stream.of(queue, key.taskId(), key.generation()))
						.toArray())
					.toList());
	}

	/**
	 * A statement that locks rows does not go by the order of an index, and so locks all
	 * that it may not even answer.
	 */
	@Override
	public List<Row> take(JdbcTemplate jdbc, String queue, long checkFromMillis, long checkUntilMillis, int limit,
			ResultSetExtractor<List<Row>> rows) {
		for (int offset = 0;; offset += limit) {
			List<String> found = jdbc.queryForList(
					"SELECT task_id FROM delay_queue_task " + Sql.TO_BE_CHECKED + " OFFSET ?", String.class, queue,
					checkFromMillis, checkUntilMillis, limit, offset);
			if (found.isEmpty()) {
				return List.of();
			}
			List<Object> ids = ids(found);
			List<Row> taken = Objects.requireNonNull(jdbc.query(
					Sql.ROW_WITH_ENVELOPE + "WHERE queue = ? AND check_at >= ? AND check_at <= ? AND task_id IN"
							+ Sql.placeholders(ids) + " ORDER BY check_at FOR UPDATE SKIP LOCKED",
					rows, Sql.parameters(List.of(queue, checkFromMillis, checkUntilMillis), ids)));
			if (!taken.isEmpty()) {
				return taken;
			}
		}
	}

	@Override
	public Set<String> toBeChecked(JdbcTemplate jdbc, List<Span> spans) {
		return Set.copyOf(jdbc.queryForList(
				String.join(" UNION ALL ", Collections.nCopies(spans.size(), "(" + Sql.ANY_TO_BE_CHECKED + ")")),
				String.class, Span.parameters(spans)));
	}

	@Override
	public String locking(String query) {
		return query;
	}

	@Override
	public String deletingSome() {
		return Sql.DELETE_ALL + " FETCH FIRST ? ROWS ONLY";
	}

}
