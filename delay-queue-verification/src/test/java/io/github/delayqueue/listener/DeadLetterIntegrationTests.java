package io.github.delayqueue.listener;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.support.JdbcTransactionManager;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.store.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;
import io.github.delayqueue.testsupport.TestRedis;

/**
 * Dead letters on a real Redis: with both drivers, with partitions, and with a journal.
 */
class DeadLetterIntegrationTests {

	abstract static class OnRedis extends AbstractDeadLetterTests {

		private final RedisStores stores;

		OnRedis(Driver driver) {
			this.stores = RedisStores.on(driver.connect(TestRedis.server())).keyPrefix("dead-letters:");
		}

		@Override
		@AfterEach
		protected void close() {
			super.close();
			this.stores.close();
		}

		TaskStore layers(RedisTaskStore store) {
			return store;
		}

		@Override
		protected TaskStore store() {
			return layers(this.stores.open());
		}

	}

	@Nested
	class LettuceTests extends OnRedis {

		LettuceTests() {
			super(Driver.LETTUCE);
		}

	}

	@Nested
	class JedisTests extends OnRedis {

		JedisTests() {
			super(Driver.JEDIS);
		}

	}

	@Nested
	class PartitionTests extends OnRedis {

		PartitionTests() {
			super(Driver.LETTUCE);
		}

		@Override
		TaskStore layers(RedisTaskStore store) {
			return new PartitionedTaskStore(store, (queue) -> queue.endsWith(":dead-letters") ? 1 : 3);
		}

	}

	@Nested
	class JournalTests extends OnRedis {

		private final TemporaryDatabase database = TestDatabase.H2.create("");

		JournalTests() {
			super(Driver.LETTUCE);
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
