package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * The tables of the journal are created once, and left alone from then on.
 */
class JournalSchemaIntegrationTests {

	private static final int INSTANCES = 10;

	private static final int ROUNDS = 5;

	@ParameterizedTest
	@EnumSource
	void instancesThatStartTogetherCreateTheTablesOnce(TestDatabase kind) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(INSTANCES);
		for (int round = 0; round < ROUNDS; round++) {
			try (TemporaryDatabase database = kind.create()) {
				List<Future<?>> starts = new ArrayList<>();
				for (int i = 0; i < INSTANCES; i++) {
					starts.add(threads.submit(() -> start(database)));
				}
				for (Future<?> start : starts) {
					start.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
				}
				assertThat(
						new JdbcTemplate(database.dataSource()).queryForList("SELECT version FROM delay_queue_schema"))
					.hasSize(1);
			}
		}
		threads.shutdown();
	}

	@ParameterizedTest
	@EnumSource
	void startDoesNotWaitForATransactionThatHasWritten(TestDatabase kind) {
		try (TemporaryDatabase database = kind.create()) {
			start(database);
			limitWaiting(kind, database);
			JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
			new TransactionTemplate(new JdbcTransactionManager(database.dataSource()))
				.executeWithoutResult((status) -> {
					jdbc.update("INSERT INTO delay_queue_epoch (partition_name, incarnation, beat, updated_at) "
							+ "VALUES ('q', '', 0, 0)");
					jdbc.update("INSERT INTO delay_queue_task (queue, task_id, generation, due_at, priority, revision, "
							+ "check_at, envelope) VALUES ('q', 'a', 1, 1, 'LOW', 1, 1, ?)", new byte[0]);
					assertThatNoException().isThrownBy(() -> start(database));
				});
		}
	}

	/** Only so that a failure takes seconds, not the time that a server waits. */
	private static void limitWaiting(TestDatabase kind, TemporaryDatabase database) {
		if (kind == TestDatabase.POSTGRESQL) {
			database.execute("DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() "
					+ "|| ' SET lock_timeout = 2000'; END $$");
		}
	}

	/** An instance with a single connection. */
	private static void start(TemporaryDatabase database) {
		try (HikariDataSource dataSource = new HikariDataSource()) {
			dataSource.setJdbcUrl(database.url());
			dataSource.setUsername(database.username());
			dataSource.setPassword("");
			dataSource.setMaximumPoolSize(1);
			new DelayQueueJournalSchemaInitializer(dataSource,
					new DelayQueueProperties.Journal(true, Duration.ofHours(1), InitializeSchema.ALWAYS,
							"classpath:io/github/delayqueue/journal/schema-@@platform@@.sql", null,
							Duration.ofSeconds(5), Duration.ofSeconds(1), 500, false))
				.initializeDatabase();
		}
	}

}
