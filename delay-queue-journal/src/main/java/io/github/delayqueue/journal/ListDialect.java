package io.github.delayqueue.journal;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Statements with a placeholder for each element of a batch, for databases without
 * arrays, where a statement that fails leaves its transaction as it was.
 */
abstract class ListDialect implements Dialect {

	private static final int ATTEMPTS = 5;

	private static final String VERSIONS = "SELECT " + Sql.ROW
			+ " FROM delay_queue_task WHERE queue = ? AND task_id IN";

	private static final String BY_KEY = " WHERE queue = ? AND task_id IN";

	private static final String LOCKED_GENERATION = """
			SELECT generation FROM delay_queue_task WHERE queue = ? AND task_id = ? FOR UPDATE""";

	private final JdbcTemplate jdbc;

	private final String select;

	private final String delete;

	/** Beginnings of statements that touch no other rows than those of some keys. */
	ListDialect(JdbcTemplate jdbc, String select, String delete) {
		this.jdbc = jdbc;
		this.select = select;
		this.delete = delete;
	}

	final JdbcTemplate jdbc() {
		return this.jdbc;
	}

	@Override
	public final Map<String, WriteResult> reject(String queue, List<Row> rows) {
		Map<String, WriteResult> written = new HashMap<>();
		committed(queue, versions(queue, rows.stream().map(Row::taskId).toList()))
			.forEach((key) -> written.put(key.taskId(), WriteResult.rejected(key.generation())));
		List<Row> absent = rows.stream().filter((row) -> !written.containsKey(row.taskId())).toList();
		try {
			if (!absent.isEmpty()) {
				this.jdbc.update(insertion(absent.size()), values(queue, absent));
			}
			absent.forEach((row) -> written.put(row.taskId(), WriteResult.ofRevision(1, row.generation())));
		}
		catch (DuplicateKeyException ex) {
			// somebody has been quicker with one of them
			absent.forEach((row) -> written.put(row.taskId(), insert(queue, row, () -> rejected(queue, row))));
		}
		return written;
	}

	/** Those of some rows, as they were read, that are still there. */
	List<Key> committed(String queue, List<Row> read) {
		return read.stream().map(Row::key).toList();
	}

	private @Nullable WriteResult rejected(String queue, Row row) {
		return this.jdbc.queryForList(LOCKED_GENERATION, Long.class, queue, id(row.taskId()))
			.stream()
			.findFirst()
			.map(WriteResult::rejected)
			.orElse(null);
	}

	/**
	 * Insert a row, unless there is one.
	 * @param otherwise what to do with that, {@code null} if it has gone
	 */
	final WriteResult insert(String queue, Row row, Supplier<@Nullable WriteResult> otherwise) {
		for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
			try {
				this.jdbc.update(insertion(1), values(queue, row));
				return WriteResult.ofRevision(1, row.generation());
			}
			catch (DuplicateKeyException ex) {
				WriteResult result = otherwise.get();
				if (result != null) {
					return result;
				}
			}
		}
		throw new ConcurrencyFailureException("A row of queue '" + queue + "' comes and goes");
	}

	static String insertion(int rows) {
		return Sql.INSERT + "VALUES " + String.join(", ", Collections.nCopies(rows, Sql.VALUES));
	}

	final Object[] values(String queue, List<Row> rows) {
		return rows.stream().flatMap((row) -> Arrays.stream(values(queue, row))).toArray();
	}

	@Override
	public final List<Row> versions(String queue, Collection<String> taskIds) {
		List<Object> ids = ids(taskIds);
		return this.jdbc.query(VERSIONS + Sql.placeholders(ids), (row, number) -> row(row, false),
				Sql.parameters(List.of(queue), ids));
	}

	@Override
	public final Set<Key> tryLock(String queue, List<Key> keys, String condition) {
		List<Object> ids = ids(keys.stream().map(Key::taskId).toList());
		List<Key> locked = this.jdbc.query(
				this.select + BY_KEY + Sql.placeholders(ids) + condition + " FOR UPDATE SKIP LOCKED",
				(row, number) -> new Key(id(row, 1), row.getLong(2)), Sql.parameters(List.of(queue), ids));
		return keys.stream().filter(Set.copyOf(locked)::contains).collect(Collectors.toSet());
	}

	@Override
	public final Set<Key> delete(String queue, List<Key> keys) {
		Set<Key> locked = tryLock(queue, keys, "");
		if (!locked.isEmpty()) {
			List<Object> ids = ids(locked.stream().map(Key::taskId).toList());
			this.jdbc.update(this.delete + BY_KEY + Sql.placeholders(ids), Sql.parameters(List.of(queue), ids));
		}
		return locked;
	}

	final List<Object> ids(Collection<String> taskIds) {
		return taskIds.stream().map(this::id).toList();
	}

}
