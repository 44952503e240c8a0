package io.github.delayqueue.deadletter;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.support.JdbcTransactionManager;

import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

/**
 * Dead letters on a real Redis: with partitions, and with a journal. Without either they
 * are the same, and are tested in memory.
 */
class DeadLetterIntegrationTests {

	abstract static class OnRedis extends AbstractDeadLetterTests {

		private final RedisStores stores = DriverStores.onShared("dead-letters");

		@Override
		@AfterEach
		protected void close() {
			super.close();
			this.stores.close();
		}

		abstract TaskStore layers(RedisTaskStore store);

		@Override
		protected TaskStore store() {
			return layers(this.stores.open());
		}

	}

	@Nested
	class PartitionTests extends OnRedis {

		@Override
		TaskStore layers(RedisTaskStore store) {
			return new PartitionedTaskStore(store, (queue) -> queue.endsWith(":dead-letters") ? 1 : 3);
		}

	}

	@Nested
	class JournalTests extends OnRedis {

		private final TemporaryDatabase database = TestDatabase.H2.create("");

		JournalTests() {
			TestDatabase.H2.applyJournalSchema(this.database);
		}

		@Override
		TaskStore layers(RedisTaskStore store) {
			return new JournaledTaskStore(new PartitionedTaskStore(store, (queue) -> 1),
					Journal.builder(this.database.dataSource(), new JdbcTransactionManager(this.database.dataSource()))
						.build());
		}

		@Override
		@AfterEach
		protected void close() {
			super.close();
			this.database.close();
		}

	}

}
