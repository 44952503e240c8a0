package io.github.delayqueue.partition;

import io.github.delayqueue.store.AbstractPartitionedTaskStoreTests;
import io.github.delayqueue.store.SourceStore;
import io.github.delayqueue.store.WholeStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * Partitions in memory.
 */
class PartitionedInMemoryStoreTests extends AbstractPartitionedTaskStoreTests {

	@Override
	protected SourceStore open(MutableClock clock) {
		return new WholeStore(new InMemoryTaskStore(clock));
	}

}
