package io.github.delayqueue.partition;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.AbstractPartitionedTaskStoreTests;
import io.github.delayqueue.store.SourceStore;
import io.github.delayqueue.store.WholeStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * Partitions in Redis.
 */
class PartitionedRedisStoreIntegrationTests extends AbstractPartitionedTaskStoreTests {

	private final List<RedisStores> open = new ArrayList<>();

	@AfterEach
	void close() {
		this.open.forEach(RedisStores::close);
	}

	/** Knows of no queue, because its keys have a prefix of their own. */
	@Override
	protected SourceStore open(MutableClock clock) {
		RedisStores stores = RedisStores.onShared("partitioned").clock(clock);
		this.open.add(stores);
		return new WholeStore(stores.open());
	}

}
