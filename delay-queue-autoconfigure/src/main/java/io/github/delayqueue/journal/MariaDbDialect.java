package io.github.delayqueue.journal;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Statements for MariaDB, which are those for MySQL, but answer what they have done.
 */
final class MariaDbDialect extends MySqlDialect {

	private static final String DELETE = "DELETE FROM delay_queue_task WHERE queue = ? AND";

	MariaDbDialect(JdbcTemplate jdbc) {
		super(jdbc);
	}

	@Override
	public boolean replacesAtOnce() {
		return true;
	}

	@Override
	public Map<String, Written> replace(String queue, List<Entry> entries, Stamp now) {
		return written(insertion(entries.size()) + ON_DUPLICATE_KEY + " RETURNING task_id, generation, revision",
				values(queue, entries, now));
	}

	@Override
	public Set<Key> delete(String queue, List<Key> keys) {
		return keys(DELETE + anyOf(keys) + " RETURNING task_id, generation", queue, keys);
	}

}
