package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static io.github.delayqueue.fixtures.Tasks.generated;
import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Connections that commit each statement by themselves, and such that do not: what is
 * scheduled is committed when {@code schedule} answers, and not before the transaction
 * that it is in.
 */
class JournalAutoCommitIntegrationTests {

	private static final String QUEUE = "orders";

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@AutoClose
	private final TemporaryDatabase database = TestDatabase.POSTGRESQL.create();

	private final JdbcClient outside = JdbcClient.create(this.database.dataSource());

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatIsScheduledIsCommittedWithTheTransactionOrAtOnce(boolean autoCommit) {
		TestDatabase.POSTGRESQL.applyJournalSchema(this.database);
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(this.database.url());
			pool.setUsername(this.database.username());
			pool.setAutoCommit(autoCommit);
			pool.setMaximumPoolSize(2);
			JdbcTransactionManager transactions = new JdbcTransactionManager(pool);
			JournaledTaskStore store = new JournaledTaskStore(
					new PartitionedTaskStore(new InMemoryTaskStore(Clock.systemUTC()), (queue) -> 1),
					Journal.builder(pool, transactions).build());
			assertThat(store.schedule(QUEUE, List.of(task("one", MINUTE)))).containsExactly(ScheduleOutcome.CREATED);
			assertThat(store.schedule(QUEUE, List.of(task("one", MINUTE)))).containsExactly(ScheduleOutcome.REPLACED);
			store.schedule(QUEUE, List.of(generated("generated", MINUTE)));
			store.schedule(QUEUE, IntStream.range(0, 500).mapToObj((i) -> generated("many-" + i, MINUTE)).toList());
			assertThat(rows()).isEqualTo(502);
			new TransactionTemplate(transactions).executeWithoutResult((status) -> {
				store.schedule(QUEUE, List.of(generated("rolled back", MINUTE)));
				store.schedule(QUEUE, List.of(task("one more", MINUTE)));
				assertThat(rows()).isEqualTo(502);
				status.setRollbackOnly();
			});
			assertThat(rows()).isEqualTo(502);
			assertThat(store.cancel(QUEUE, "one")).isTrue();
			assertThat(rows()).isEqualTo(501);
		}
	}

	private long rows() {
		return this.outside.sql("SELECT COUNT(*) FROM delay_queue_task").query(Long.class).single();
	}

}
