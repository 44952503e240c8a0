package io.github.delayqueue.test;

import java.time.Clock;

import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

/**
 * Where the tasks of a test are kept.
 */
interface TestStore {

	/**
	 * The store.
	 * @return keeps the partitions of queues
	 */
	PartitionStore store();

	/** Forget everything. */
	void reset();

	static TestStore inMemory(Clock clock) {
		InMemoryTaskStore store = new InMemoryTaskStore(clock);
		return new TestStore() {

			@Override
			public PartitionStore store() {
				return store;
			}

			@Override
			public void reset() {
				store.reset();
			}

		};
	}

}
