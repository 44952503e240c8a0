package io.github.delayqueue.journal;

import java.sql.PreparedStatement;
import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of the journal on PostgreSQL.
 */
class PostgresJournalTableIntegrationTests extends AbstractJournalTableTests {

	private static final String KEY = "delay_queue_task_pkey";

	private static final String STATES = "delay_queue_task_due";

	PostgresJournalTableIntegrationTests() {
		super(TestDatabase.POSTGRESQL, "");
	}

	/** A statement for few keys that begins with an index of states takes seconds. */
	@Test
	void rowsAreMarkedAndDeletedByTheirKeysWhateverThePlannerKnowsOfThem() {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource());
		jdbc.update("""
				INSERT INTO delay_queue_task SELECT ?, 'task-' || i, 1000 * i, 0, 'NORMAL', 'WAITING', 1, i, '{}'
				FROM generate_series(1, 20000) i""", queue());
		assertThat(plan(jdbc, PostgresDialect.MARK)).contains(KEY).doesNotContain(STATES);
		assertThat(plan(jdbc, PostgresDialect.CONFIRM)).contains(KEY).doesNotContain(STATES);
		assertThat(String.join("\n", jdbc.query("EXPLAIN " + PostgresDialect.DELETE, (parameters) -> {
			setKey(parameters, 1);
		}, (row, number) -> row.getString(1)))).contains(KEY, "Tid Scan").doesNotContain(STATES, "Seq Scan");
	}

	private String plan(JdbcTemplate jdbc, String statement) {
		return String.join("\n", jdbc.query("EXPLAIN " + statement, (parameters) -> {
			parameters.setString(1, "HANDED");
			parameters.setLong(2, NOW);
			setKey(parameters, 3);
			parameters.setString(6, "WAITING");
		}, (row, number) -> row.getString(1)));
	}

	private void setKey(PreparedStatement parameters, int from) throws SQLException {
		parameters.setArray(from, parameters.getConnection().createArrayOf("text", new Object[] { "task-1" }));
		parameters.setArray(from + 1, parameters.getConnection().createArrayOf("bigint", new Object[] { 1000L }));
		parameters.setString(from + 2, queue());
	}

}
