package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static io.github.delayqueue.fixtures.Tasks.generated;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that share statements of a database.
 */
class SharedWritesIntegrationTests {

	private static final String QUEUE = "orders";

	private static final int THREADS = 8;

	private static final int TASKS = 50;

	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "MARIADB" })
	void eachCallIsAnsweredForItsOwnTask(TestDatabase kind) {
		try (TemporaryDatabase database = kind.create("")) {
			kind.applyJournalSchema(database);
			InMemoryTaskStore memory = new InMemoryTaskStore(Clock.systemUTC());
			JournaledTaskStore store = new JournaledTaskStore(new PartitionedTaskStore(memory, (queue) -> 1),
					Journal.builder(database.dataSource(), new DataSourceTransactionManager(database.dataSource()))
						.build());
			List<Integer> accepted = Concurrently.run(THREADS, (thread) -> () -> scheduleAll(store, thread));
			// one of each thread is refused, and of nobody else
			assertThat(accepted).containsOnly(TASKS - 1);
			assertThat(JdbcClient.create(database.dataSource())
				.sql("SELECT COUNT(*) FROM delay_queue_task")
				.query(Integer.class)
				.single()).isEqualTo(THREADS * (TASKS - 1));
			assertThat(memory.stats(QUEUE).waiting()).isEqualTo(THREADS * (TASKS - 1));
		}
	}

	private static int scheduleAll(JournaledTaskStore store, int thread) {
		int accepted = 0;
		for (int i = 0; i < TASKS; i++) {
			String id = "t" + thread + "-" + i;
			try {
				// too long for the database: no template would let it pass
				store.schedule(QUEUE,
						List.of(generated((i == TASKS / 2) ? id.repeat(100) : id, Duration.ofMinutes(1))));
				accepted++;
			}
			catch (DelayQueueException ex) {
				assertThat(i).isEqualTo(TASKS / 2);
			}
		}
		return accepted;
	}

}
