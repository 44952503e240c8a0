package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Statements with a placeholder for each element of a batch, for databases without
 * arrays, where a statement that fails leaves its transaction as it was.
 */
abstract class ListDialect implements Dialect {

	private static final int ATTEMPTS = 5;

	private static final String VERSIONS = """
			SELECT task_id, generation, due_at, dead_at, failure FROM delay_queue_task WHERE queue = ? AND task_id IN""";

	private static final String DEAD_AMONG = """
			SELECT task_id FROM delay_queue_task WHERE queue = ? AND dead_at IS NOT NULL AND task_id IN""";

	private static final String REVIVE = """
			UPDATE delay_queue_task SET dead_at = NULL, due_at = ?, check_at = ?
			WHERE queue = ? AND dead_at IS NOT NULL AND task_id IN""";

	private static final String BY_KEY = " WHERE queue = ? AND task_id IN";

	private static final String LOCKED_GENERATION = """
			SELECT generation FROM delay_queue_task WHERE queue = ? AND task_id = ? FOR UPDATE""";

	private static final String VALUES = "(?, ?, ?, ?, ?, ?, ?, 1)";

	private final JdbcTemplate jdbc;

	private final String select;

	private final String delete;

	/**
	 * Statements for a database.
	 * @param jdbc the access
	 * @param select begins a statement that selects id and generation of some keys, and
	 * locks no other rows
	 * @param delete begins one that deletes some keys, and looks at no other rows: those
	 * may be locked
	 */
	ListDialect(JdbcTemplate jdbc, String select, String delete) {
		this.jdbc = jdbc;
		this.select = select;
		this.delete = delete;
	}

	final JdbcTemplate jdbc() {
		return this.jdbc;
	}

	@Override
	public final Map<String, Written> reject(String queue, List<Entry> entries, Stamp now) {
		Map<String, Written> written = new HashMap<>();
		versions(queue, entries.stream().map(Entry::taskId).toList())
			.forEach((taskId, version) -> written.put(taskId, Written.rejected(version.generation())));
		List<Entry> absent = entries.stream().filter((entry) -> !written.containsKey(entry.taskId())).toList();
		if (!absent.isEmpty()) {
			insertOrReject(queue, absent, now, written);
		}
		return written;
	}

	private void insertOrReject(String queue, List<Entry> absent, Stamp now, Map<String, Written> written) {
		try {
			insert(queue, absent, now);
			absent.forEach((entry) -> written.put(entry.taskId(), Written.ofRevision(1, now.micros())));
		}
		catch (DuplicateKeyException ex) {
			// somebody has been quicker with one of them
			absent.forEach((entry) -> written.put(entry.taskId(), insertOrReject(queue, entry, now)));
		}
	}

	private Written insertOrReject(String queue, Entry entry, Stamp now) {
		for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
			try {
				insert(queue, List.of(entry), now);
				return Written.ofRevision(1, now.micros());
			}
			catch (DuplicateKeyException ex) {
				List<Long> generation = this.jdbc.queryForList(LOCKED_GENERATION, Long.class, queue,
						id(entry.taskId()));
				if (!generation.isEmpty()) {
					return Written.rejected(generation.get(0));
				}
			}
		}
		throw new ConcurrencyFailureException("A row of queue '" + queue + "' comes and goes");
	}

	/**
	 * Insert rows, all of them or none.
	 * @param queue the queue
	 * @param entries what to insert
	 * @param now the time
	 * @throws DuplicateKeyException if one is there already
	 */
	final void insert(String queue, List<Entry> entries, Stamp now) {
		this.jdbc.update(insertion(entries.size()), values(queue, entries, now));
	}

	static String insertion(int rows) {
		return Sql.INSERT + "VALUES " + String.join(", ", Collections.nCopies(rows, VALUES));
	}

	final Object[] values(String queue, List<Entry> entries, Stamp now) {
		return entries.stream()
			.flatMap((entry) -> Arrays.stream(new Object[] { queue, id(entry.taskId()), now.micros(), entry.dueMillis(),
					entry.priority().name(), entry.envelope(), now.checkMillis(entry) }))
			.toArray();
	}

	@Override
	public final Map<String, Version> versions(String queue, Collection<String> taskIds) {
		Map<String, Version> versions = new HashMap<>();
		List<Object> ids = ids(taskIds);
		this.jdbc.query(VERSIONS + placeholders(ids), (row) -> {
			versions.put(id(row, 1),
					new Version(row.getLong(2), row.getLong(3), row.getObject(4) != null, row.getBytes(5)));
		}, parameters(List.of(queue), ids));
		return versions;
	}

	@Override
	public final Set<Key> tryLock(String queue, List<Key> keys) {
		List<Object> ids = ids(keys.stream().map(Key::taskId).toList());
		List<Key> locked = this.jdbc.query(this.select + BY_KEY + placeholders(ids) + " FOR UPDATE SKIP LOCKED",
				(row, number) -> new Key(id(row, 1), row.getLong(2)), parameters(List.of(queue), ids));
		return keys.stream().filter(Set.copyOf(locked)::contains).collect(Collectors.toSet());
	}

	@Override
	public final Set<Key> delete(String queue, List<Key> keys) {
		Set<Key> locked = tryLock(queue, keys);
		if (!locked.isEmpty()) {
			List<Object> ids = ids(locked.stream().map(Key::taskId).toList());
			this.jdbc.update(this.delete + BY_KEY + placeholders(ids), parameters(List.of(queue), ids));
		}
		return locked;
	}

	@Override
	public final Set<String> revive(String queue, Collection<String> taskIds, long dueMillis, long checkMillis) {
		List<Object> asked = ids(taskIds);
		Set<String> dead = this.jdbc
			.query(DEAD_AMONG + placeholders(asked) + " FOR UPDATE", (row, number) -> id(row, 1),
					parameters(List.of(queue), asked))
			.stream()
			.collect(Collectors.toSet());
		if (!dead.isEmpty()) {
			List<Object> found = ids(dead);
			this.jdbc.update(REVIVE + placeholders(found), parameters(List.of(dueMillis, checkMillis, queue), found));
		}
		return dead;
	}

	@Override
	public final boolean insertEpoch(String partition, long nowMillis) {
		try {
			return this.jdbc.update(Sql.INSERT_EPOCH, partition, nowMillis) == 1;
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}

	final List<Object> ids(Collection<String> taskIds) {
		return padded(taskIds.stream().map(this::id).toList());
	}

	/**
	 * Repeat the last element until there are as many as a power of two: databases and
	 * drivers keep what they have worked out for a statement, and there are few of these.
	 * @param <T> their type
	 * @param elements the elements
	 * @return the elements
	 */
	static <T> List<T> padded(List<T> elements) {
		int size = Math.max(1, Integer.highestOneBit(elements.size() - 1) << 1);
		List<T> padded = new ArrayList<>(elements);
		padded.addAll(Collections.nCopies(size - elements.size(), elements.get(elements.size() - 1)));
		return padded;
	}

	static String placeholders(List<?> elements) {
		return " (" + String.join(", ", Collections.nCopies(elements.size(), "?")) + ")";
	}

	static Object[] parameters(List<?> first, List<?> others) {
		return Stream.concat(first.stream(), others.stream()).toArray();
	}

}
