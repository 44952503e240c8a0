package io.github.delayqueue.partition;

import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * The whole contract, of queues with a single partition each.
 */
class SinglePartitionInMemoryContractTests extends AbstractVersionedStoreContractTests {

	private final MutableClock clock = new MutableClock(START);

	private final TaskStore store = new PartitionedTaskStore(new InMemoryTaskStore(this.clock), (queue) -> 1);

	@Override
	public TaskStore store() {
		return this.store;
	}

	@Override
	public MutableClock clock() {
		return this.clock;
	}

}
