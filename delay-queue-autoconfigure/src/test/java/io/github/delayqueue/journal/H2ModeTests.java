package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static io.github.delayqueue.TaskPriority.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of the journal in an H2 that is asked to behave like another database.
 */
class H2ModeTests {

	private static final String QUEUE = "order_timeout";

	@ParameterizedTest
	@ValueSource(strings = { ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
			";MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
			";MODE=MariaDB;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE", ";MODE=LEGACY",
			";DATABASE_TO_UPPER=FALSE" })
	void rowsAreWrittenTakenAndDeleted(String mode) {
		try (TemporaryDatabase database = TestDatabase.H2.create(mode)) {
			TestDatabase.H2.applyJournalSchema(database);
			TestDatabase.H2.applyJournalSchema(database);
			JournalTable table = JournalTable.of(database.dataSource(), Clock.systemUTC(), Duration.ofSeconds(5));
			new TransactionTemplate(new JdbcTransactionManager(database.dataSource()))
				.executeWithoutResult((status) -> live(table));
		}
	}

	private static void live(JournalTable table) {
		assertThat(table.write(QUEUE, List.of(entry("a"), entry("A"), entry("a ")))).extracting(Written::outcome)
			.containsOnly(ScheduleOutcome.CREATED);
		assertThat(table.write(QUEUE, List.of(entry("a")))).extracting(Written::outcome)
			.containsOnly(ScheduleOutcome.REPLACED);
		List<Row> rows = table.loader().takeWaiting(QUEUE, 1, Long.MAX_VALUE, 10);
		assertThat(rows).extracting(Row::envelope).hasSize(3).containsOnly(new byte[] { 1, 2 });
		List<Key> keys = rows.stream().map(Row::key).toList();
		table.mark(QUEUE, keys, RowState.WAITING, RowState.HANDED);
		table.bury(QUEUE, keys.get(0), new byte[] { 3 });
		assertThat(table.loader().dead(QUEUE, "", Long.MAX_VALUE, 10)).extracting(Row::key)
			.containsExactly(keys.get(0));
		assertThat(table.versions(QUEUE, List.of("a", "A", "b"))).containsOnlyKeys("a", "A");
		assertThat(table.countStored(QUEUE, 0, List.of(1L))).containsExactly(0, 0);
		assertThat(table.delete(QUEUE, keys)).containsExactly(1, 1, 1);
		assertThat(table.loader().lockEpoch(QUEUE, Long.MAX_VALUE)).contains(new Epoch("", 0));
		table.loader().remember(QUEUE, new Epoch("first", 1));
		assertThat(table.loader().lockEpoch(QUEUE, Long.MAX_VALUE)).contains(new Epoch("first", 1));
	}

	private static Entry entry(String taskId) {
		return new Entry(taskId, new byte[] { 1, 2 }, 1, NORMAL, DuplicatePolicy.REPLACE, false);
	}

}
