package io.github.delayqueue.documents;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * SQL that the documents show finds what is said there, in the PostgreSQL it is written
 * for.
 */
class DocumentedStatementsIntegrationTests {

	private static final String QUEUE = "order_timeout";

	@Test
	void statementsFindWhatTheySay() {
		List<String> statements = Document.all()
			.stream()
			.flatMap((document) -> document.blocks().stream())
			.filter((block) -> block.language().equals("sql"))
			.flatMap((block) -> Arrays.stream(block.text().split(";\n")))
			.toList();
		try (TemporaryDatabase database = TestDatabase.POSTGRESQL.create()) {
			TestDatabase.POSTGRESQL.applyJournalSchema(database);
			database.execute("CREATE TABLE orders (number VARCHAR(20), status VARCHAR(20))");
			database.execute("INSERT INTO orders VALUES ('order_123', 'OPEN'), ('order_124', 'OPEN')");
			schedule(database, "order_123");
			JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
			List<List<Map<String, Object>>> answers = statements.stream().map(jdbc::queryForList).toList();
			assertThat(answers).hasSize(3);
			assertThat(answers.get(0)).as(statements.get(0))
				.extracting((row) -> row.get("place") + ": " + row.get("count"))
				.containsExactlyInAnyOrder("table only: 1", "Redis: 1");
			assertThat(answers.get(1)).as(statements.get(1))
				.singleElement()
				.satisfies((row) -> assertThat(row).containsEntry("task_id", "order_123")
					.containsEntry("dead", null)
					.containsEntry("convert_from", "{\"v\":1}"));
			assertThat(answers.get(2)).as(statements.get(2)).containsExactly(Map.of("number", "order_124"));
		}
	}

	private static void schedule(TemporaryDatabase database, String id) {
		DataSourceTransactionManager transactions = new DataSourceTransactionManager(database.dataSource());
		JournaledTaskStore store = new JournaledTaskStore(
				new PartitionedTaskStore(new InMemoryTaskStore(Clock.systemUTC()), (queue) -> 1),
				Journal.builder(database.dataSource(), transactions).queues(QUEUE::equals).build());
		store.schedule(QUEUE, List.of(new NewTask(id, "{\"v\":1}".getBytes(StandardCharsets.US_ASCII),
				DueTime.in(Duration.ofDays(30)), TaskPriority.NORMAL, Replacement.REPLACE)));
		store.schedule(QUEUE, List.of(new NewTask("moved", "{\"v\":1}".getBytes(StandardCharsets.US_ASCII),
				DueTime.in(Duration.ofMinutes(30)), TaskPriority.NORMAL, Replacement.REPLACE)));
		store.reschedule(QUEUE, "moved", DueTime.in(Duration.ofDays(30)));
	}

}
