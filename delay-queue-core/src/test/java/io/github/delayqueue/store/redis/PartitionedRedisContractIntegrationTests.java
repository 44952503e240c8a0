package io.github.delayqueue.store.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.AbstractPartitionedContractTests;
import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestRedis;

/**
 * The contract of queues with partitions in Redis.
 */
class PartitionedRedisContractIntegrationTests extends AbstractPartitionedContractTests {

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
	protected PartitionStore partitions() {
		return store;
	}

	@Override
	public MutableClock clock() {
		return clock;
	}

	@Override
	protected void assertInvariant(String partition) {
		new QueueKeyspace(TestRedis.server(), PREFIX, partition).assertInvariant();
	}

}
