package io.github.delayqueue.journal;

import java.util.List;

import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

/**
 * Looks at the tables before anything is done with them, by reading from them only: the
 * application may have no other right.
 */
record JournalSchema(JdbcTemplate jdbc, String script) {

	/** Rises with each change of the tables; the scripts write it. */
	static final int VERSION = 2;

	private static final String VERSIONS = "SELECT version FROM delay_queue_schema";

	private static final String TASKS = "SELECT " + Sql.ROW + ", envelope, revision FROM delay_queue_task WHERE 1 = 0";

	private static final String EPOCHS = """
			SELECT partition_name, incarnation, beat, updated_at FROM delay_queue_epoch WHERE 1 = 0""";

	JournalSchema(JdbcTemplate jdbc, DatabaseProduct product) {
		this(jdbc, "io/github/delayqueue/journal/schema-" + product.platform() + ".sql");
	}

	void check() {
		List<Integer> versions = versions();
		for (Integer version : versions) {
			if (version != VERSION) {
				throw otherVersion(version.toString());
			}
		}
		try {
			requireColumns();
			this.jdbc.queryForList(EPOCHS);
		}
		catch (NonTransientDataAccessException ex) {
			throw missing("A table of the journal is not there, may not be read, or is not as the script makes it", ex);
		}
		if (versions.isEmpty()) {
			throw otherVersion("none that is known: the table delay_queue_schema is empty");
		}
	}

	private List<Integer> versions() {
		try {
			return this.jdbc.queryForList(VERSIONS, Integer.class);
		}
		catch (NonTransientDataAccessException ex) {
			try {
				this.jdbc.queryForList("SELECT 1 FROM delay_queue_task WHERE 1 = 0");
			}
			catch (NonTransientDataAccessException missing) {
				throw missing("The tables of the journal are not there, or may not be read", ex);
			}
			throw otherVersion("1, or their table delay_queue_schema may not be read");
		}
	}

	private void requireColumns() {
		ResultSetExtractor<String> typeOfIds = (rows) -> rows.getMetaData().getColumnTypeName(1);
		if ("VARCHAR_IGNORECASE".equals(this.jdbc.query(TASKS, typeOfIds))) {
			throw new JournalSetupException("The tables of the journal ignore case, so they mix up ids of tasks",
					"Remove IGNORECASE from the settings of H2, and create the tables anew by the script " + this.script
							+ ".");
		}
	}

	private JournalSetupException missing(String message, NonTransientDataAccessException error) {
		if (error instanceof NonTransientDataAccessResourceException) {
			// it does not answer at all
			throw error;
		}
		return new JournalSetupException(message + ": " + error.getMostSpecificCause().getMessage(),
				"Create the tables by the script " + this.script
						+ ", which is in the jar of the delay queue, for example as a migration of Flyway or "
						+ "Liquibase, or set delay-queue.journal.initialize-schema=always. They must be in the "
						+ "schema that the DataSource of the journal uses, and its user needs the right to read "
						+ "and change them.",
				error);
	}

	private static JournalSetupException otherVersion(String version) {
		return new JournalSetupException(
				"The tables of the journal are of version " + version
						+ ", and this version of the delay queue works with version " + VERSION,
				"See \"From one version to the next\" in docs/guide/journal.md of the delay queue.");
	}

}
