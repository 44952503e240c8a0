package io.github.delayqueue.store.memory;

import io.github.delayqueue.store.AbstractPartitionedContractTests;
import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * The contract of queues with partitions in memory.
 */
class PartitionedInMemoryContractTests extends AbstractPartitionedContractTests {

	private final MutableClock clock = new MutableClock(START);

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	@Override
	protected PartitionStore partitions() {
		return this.store;
	}

	@Override
	public MutableClock clock() {
		return this.clock;
	}

}
