package io.github.delayqueue.journal;

import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Statements for MariaDB, which are those for MySQL, but answer what they have written.
 */
final class MariaDbDialect extends MySqlDialect {

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

}
