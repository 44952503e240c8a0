package io.github.delayqueue.journal;

import java.time.Clock;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The tables of the journal are looked at before anything is done with them.
 */
class JournalSchemaTests {

	private TemporaryDatabase database = TestDatabase.H2.create();

	@AfterEach
	void close() {
		this.database.close();
	}

	@Test
	void tablesOfTheScriptAreFineHoweverOftenItIsRun() {
		TestDatabase.H2.applyJournalSchema(this.database);
		TestDatabase.H2.applyJournalSchema(this.database);
		open();
		assertThat(sql("SELECT version FROM delay_queue_schema").query(Integer.class).list())
			.containsExactly(JournalSchema.VERSION);
	}

	@Test
	void missingTablesAreNamedWithTheScriptThatMakesThem() {
		assertThatExceptionOfType(JournalSetupException.class).isThrownBy(this::open)
			.withMessageContaining("The tables of the journal are not there")
			.withMessageContaining("delay_queue_schema")
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("io/github/delayqueue/journal/schema-h2.sql",
					"delay-queue.journal.initialize-schema=always"));
	}

	@Test
	void tablesWithoutAVersionAreTooOld() {
		TestDatabase.H2.applyJournalSchema(this.database);
		sql("DROP TABLE delay_queue_schema").update();
		assertOtherVersion("1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "3" })
	void otherVersionIsRefused(String version) {
		TestDatabase.H2.applyJournalSchema(this.database);
		sql("UPDATE delay_queue_schema SET version = " + version).update();
		TestDatabase.H2.applyJournalSchema(this.database);
		assertOtherVersion(version);
	}

	private void assertOtherVersion(String version) {
		assertThatExceptionOfType(JournalSetupException.class).isThrownBy(this::open)
			.withMessageContaining("are of version " + version)
			.withMessageContaining("works with version 2")
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("docs/guide/journal.md",
					"From one version to the next"));
	}

	@ParameterizedTest
	@CsvSource({ "delay_queue_task, ALTER TABLE delay_queue_task DROP COLUMN revision",
			"delay_queue_task, DROP TABLE delay_queue_task", "delay_queue_epoch, DROP TABLE delay_queue_epoch" })
	void tableThatIsNotAsItsVersionSaysIsRefused(String table, String change) {
		TestDatabase.H2.applyJournalSchema(this.database);
		sql(change).update();
		assertThatExceptionOfType(JournalSetupException.class).isThrownBy(this::open)
			.withMessageContaining(table)
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("schema-h2.sql"));
	}

	@Test
	void idsThatAreNotToldApartByCaseAreRefused() {
		close();
		this.database = TestDatabase.H2.create(";IGNORECASE=TRUE");
		TestDatabase.H2.applyJournalSchema(this.database);
		assertThatExceptionOfType(JournalSetupException.class).isThrownBy(this::open)
			.withMessageContaining("case")
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("IGNORECASE"));
	}

	private JdbcClient.StatementSpec sql(String sql) {
		return JdbcClient.create(this.database.dataSource()).sql(sql);
	}

	private void open() {
		new JournaledTaskStore(new PartitionedTaskStore(new InMemoryTaskStore(Clock.systemUTC()), (queue) -> 1),
				Journal.builder(this.database.dataSource(), new JdbcTransactionManager(this.database.dataSource()))
					.build());
	}

}
