package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.journal.LoaderTable.CheckPosition;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.testsupport.MutableClock;
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
			MutableClock clock = new MutableClock(Instant.EPOCH);
			Duration timeout = Duration.ofSeconds(5);
			DatabaseProduct product = DatabaseProduct.of(database.dataSource());
			new JournalSchema(product.jdbc(database.dataSource(), timeout), product).check();
			JournalTable table = JournalTable.of(database.dataSource(), clock, timeout, Duration.ofHours(1), product);
			new TransactionTemplate(new JdbcTransactionManager(database.dataSource()))
				.executeWithoutResult((status) -> live(table, clock));
		}
	}

	private static void live(JournalTable table, MutableClock clock) {
		assertThat(table.write(QUEUE, List.of(entry("a"), entry("A"), entry("a ")), -1))
			.extracting(WriteResult::outcome)
			.containsOnly(ScheduleOutcome.CREATED);
		assertThat(table.write(QUEUE, List.of(entry("a")), -1)).extracting(WriteResult::outcome)
			.containsOnly(ScheduleOutcome.REPLACED);
		clock.advance(Duration.ofSeconds(5));
		List<Row> rows = table.loader().take(QUEUE, 10, true, LookedAt.NOTHING);
		assertThat(rows).extracting(Row::envelope).hasSize(3).containsOnly(new byte[] { 1, 2 });
		assertThat(table.loader().take(QUEUE, 10, true, LookedAt.NOTHING)).isEmpty();
		List<Key> keys = rows.stream().map(Row::key).toList();
		assertThat(table.deadLetter(QUEUE, keys.get(0), new byte[] { 3 })).isTrue();
		assertThat(table.loader()
			.recheckLost(QUEUE, clock.millis(), new CheckPosition(0, Long.MAX_VALUE, Long.MAX_VALUE), 10)).isNull();
		clock.advance(Duration.ofMillis(1));
		assertThat(table.loader().take(QUEUE, 10, true, LookedAt.NOTHING)).extracting(Row::dead)
			.containsExactly(false, false, true);
		table.loader().recheck(QUEUE, keys);
		assertThat(table.loader().take(QUEUE, 10, true, LookedAt.NOTHING)).hasSize(3);
		assertThat(table.versions(QUEUE, List.of("a", "A", "b"))).containsOnlyKeys("a", "A");
		assertThat(table.revive(QUEUE, List.of(keys.get(0).taskId()), (id) -> 7)).containsExactly(keys.get(0).taskId());
		assertThat(table.far().count(QUEUE, List.of(1L), 10)).containsExactly(0, 0);
		assertThat(table.far().list(QUEUE, 0, 10, 10)).isEmpty();
		assertThat(table.deadLetter(QUEUE, keys.get(1), null)).isTrue();
		assertThat(table.deleteDead(QUEUE, table.findDead(QUEUE, 0, 10))).containsExactly(keys.get(1));
		assertThat(table.delete(QUEUE, keys)).containsExactlyInAnyOrder(keys.get(0), keys.get(2));
		assertThat(table.loader().insertEpoch(QUEUE, "", 7)).isEmpty();
		assertThat(table.loader().remember(QUEUE, Epoch.NONE, new Epoch("first", 1))).isTrue();
		assertThat(table.loader().claimEpochs(List.of(QUEUE), Long.MAX_VALUE, 8))
			.containsExactly(new RememberedEpoch(QUEUE, new Epoch("first", 1), 8));
	}

	private static Arrival entry(String taskId) {
		return JournalTableFixture.arrival(taskId, new byte[] { 1, 2 }, 1, NORMAL, Replacement.REPLACE, false);
	}

}
