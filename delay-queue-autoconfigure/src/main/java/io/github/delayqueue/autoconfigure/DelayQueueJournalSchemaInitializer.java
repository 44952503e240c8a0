package io.github.delayqueue.autoconfigure;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.StringUtils;

/**
 * Creates the tables of the journal, unless they are there: then it changes nothing, and
 * waits for nobody. Of several instances that start for the first time, one creates them
 * while the others wait. A bean of this type that the application declares takes the
 * place of the auto-configured one. Public for that.
 */
public class DelayQueueJournalSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	/** A number that nobody else should have chosen. */
	private static final long LOCK = 0x64656c6179717565L;

	/** They are those of the whole server. */
	private static final String LOCK_NAME = "CONCAT('delay_queue.', MD5(DATABASE()))";

	private static final int LOCK_SECONDS = 60;

	public DelayQueueJournalSchemaInitializer(DataSource dataSource, DelayQueueProperties.Journal properties) {
		super(dataSource, settings(dataSource, properties));
	}

	/** To create what is there already would wait for all who have written into it. */
	@Override
	protected void runScripts(Scripts scripts) {
		JdbcTemplate jdbc = new JdbcTemplate(getDataSource());
		jdbc.setQueryTimeout(LOCK_SECONDS);
		if (isDone(jdbc)) {
			return;
		}
		// within one connection: there may be no second one
		synchronized (DelayQueueJournalSchemaInitializer.class) {
			new TransactionTemplate(new JdbcTransactionManager(getDataSource()))
				.executeWithoutResult((status) -> runAlone(jdbc, scripts));
		}
	}

	/** A look at a missing table must not spoil the transaction around it. */
	private boolean isDone(JdbcTemplate jdbc) {
		TransactionTemplate look = new TransactionTemplate(new JdbcTransactionManager(getDataSource()));
		look.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		try {
			return Boolean.TRUE.equals(look.execute((status) -> {
				jdbc.queryForList("SELECT 1 FROM delay_queue_task WHERE 1 = 0");
				jdbc.queryForList("SELECT 1 FROM delay_queue_epoch WHERE 1 = 0");
				return !jdbc.queryForList("SELECT version FROM delay_queue_schema").isEmpty();
			}));
		}
		catch (BadSqlGrammarException ex) {
			return false;
		}
	}

	private void runAlone(JdbcTemplate jdbc, Scripts scripts) {
		String product = jdbc
			.execute((ConnectionCallback<String>) (connection) -> connection.getMetaData().getDatabaseProductName());
		switch (String.valueOf(product)) {
			case "PostgreSQL" -> {
				jdbc.queryForList("SELECT pg_advisory_xact_lock(" + LOCK + ")");
				runUnlessDone(jdbc, scripts);
			}
			case "MySQL", "MariaDB" -> {
				jdbc.queryForList("SELECT GET_LOCK(" + LOCK_NAME + ", " + LOCK_SECONDS + ")");
				try {
					runUnlessDone(jdbc, scripts);
				}
				finally {
					jdbc.queryForList("SELECT RELEASE_LOCK(" + LOCK_NAME + ")");
				}
			}
			default -> runUnlessDone(jdbc, scripts);
		}
	}

	private void runUnlessDone(JdbcTemplate jdbc, Scripts scripts) {
		if (!isDone(jdbc)) {
			super.runScripts(scripts);
		}
	}

	private static DatabaseInitializationSettings settings(DataSource dataSource,
			DelayQueueProperties.Journal properties) {
		PlatformPlaceholderDatabaseDriverResolver resolver = new PlatformPlaceholderDatabaseDriverResolver();
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(DatabaseInitializationMode.valueOf(properties.initializeSchema().name()));
		settings.setSchemaLocations(StringUtils.hasText(properties.platform())
				? resolver.resolveAll(properties.platform(), properties.schema())
				: resolver.resolveAll(dataSource, properties.schema()));
		return settings;
	}

}
