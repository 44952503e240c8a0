package io.github.delayqueue.store.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestRedis;

/**
 * The whole contract, of queues with a single partition each.
 */
@Heavy
class SinglePartitionRedisContractIntegrationTests extends AbstractVersionedStoreContractTests {

	private static final String PREFIX = "partitioned:";

	private static final MutableClock clock = new MutableClock(START);

	private static RedisStores stores;

	private static RedisTaskStore store;

	@BeforeAll
	static void open() {
		stores = RedisStores.on(TestRedis.server()).keyPrefix(PREFIX).clock(clock);
		store = stores.open();
	}

	@AfterAll
	static void close() {
		stores.close();
	}

	@Override
	public TaskStore store() {
		return new PartitionedTaskStore(store, (queue) -> 1);
	}

	@Override
	public MutableClock clock() {
		return clock;
	}

	@Override
	protected void assertInvariant(String queue) {
		new QueueKeyspace(TestRedis.server(), PREFIX, queue).assertInvariant();
	}

}
