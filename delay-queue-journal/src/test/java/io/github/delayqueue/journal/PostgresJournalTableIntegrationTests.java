package io.github.delayqueue.journal;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of the journal on PostgreSQL.
 */
class PostgresJournalTableIntegrationTests extends AbstractJournalTableTests implements JournalReadsContract {

	private static final String READ = """
			SELECT %s FROM pg_stat_xact_user_tables WHERE relname = 'delay_queue_task'""";

	PostgresJournalTableIntegrationTests() {
		super(TestDatabase.POSTGRESQL, "");
	}

	@Override
	public long rowsRead() {
		return read("seq_tup_read + idx_tup_fetch");
	}

	private long read(String columns) {
		return jdbc().sql(READ.formatted(columns)).query(Long.class).single();
	}

	@Override
	public String numbers(int n) {
		return "generate_series(1, CAST(" + n + " AS bigint)) AS numbers (n)";
	}

	@Override
	public void analyze() {
		jdbc().sql("ANALYZE delay_queue_task").update();
	}

	/** A statement is planned for its parameters, and after some time for any. */
	@Override
	public List<String> settings() {
		return List.of("SET LOCAL plan_cache_mode = force_custom_plan",
				"SET LOCAL plan_cache_mode = force_generic_plan");
	}

	@Test
	void tasksAreCountedInTheIndexAlone() {
		jdbc().sql("""
				INSERT INTO delay_queue_task
				(queue, task_id, generation, due_at, priority, envelope, check_at, revision)
				SELECT ?, 'task-' || n, 1000 * n, ? + n, 'NORMAL', convert_to(repeat('x', 300), 'UTF8'), ? + n, 1
				FROM %s""".formatted(numbers(50_000)))
			.params(queue(), CHECKS.horizonMillis(NOW), CheckTimes.FAR + NOW)
			.update();
		jdbc().sql("VACUUM (ANALYZE) delay_queue_task").update();
		for (String setting : settings()) {
			assertThat(reads(setting,
					() -> assertThat(table().far().count(queue(), List.of(NOW), 100_000)).containsExactly(0, 50_000)))
				.isLessThan(1000);
		}
	}

	/** A partition has rows at the same places as another. */
	@Test
	void rowsOfOtherPartitionsStay() {
		try (TemporaryDatabase database = TestDatabase.POSTGRESQL.create()) {
			TestDatabase.POSTGRESQL.applyJournalSchema(database);
			database.execute("ALTER TABLE delay_queue_task RENAME TO unused");
			database.execute("CREATE TABLE delay_queue_task (LIKE unused INCLUDING ALL) PARTITION BY LIST (queue)");
			List<String> queues = List.of("settled", "cleared", "other");
			queues.forEach((queue) -> database.execute("CREATE TABLE delay_queue_" + queue
					+ " PARTITION OF delay_queue_task FOR VALUES IN ('" + queue + "')"));
			JournalTable table = table(database.dataSource());
			List<Arrival> tasks = IntStream.range(0, 100).mapToObj((i) -> JournalTableFixture.entry("t" + i)).toList();
			queues.forEach((queue) -> table.write(queue, tasks, -1));
			List<String> ids = tasks.stream().map(Arrival::taskId).toList();
			List<Key> keys = table.versions("settled", ids).values().stream().map(Row::key).toList();
			assertThat(table.delete("settled", keys.subList(0, 50))).hasSize(50);
			assertThat(table.clear("cleared", 30)).isEqualTo(30);
			assertThat(queues.stream().map((queue) -> table.versions(queue, ids).size())).containsExactly(50, 70, 100);
		}
	}

}
