package io.github.delayqueue.store.memory;

import io.github.delayqueue.store.AbstractPartitionedTaskStoreTests;
import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * Partitions in memory.
 */
class PartitionedInMemoryStoreTests extends AbstractPartitionedTaskStoreTests {

	@Override
	protected PartitionStore open(MutableClock clock) {
		return new InMemoryTaskStore(clock);
	}

}
