package io.github.delayqueue.test;

import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

/**
 * Where the tasks of a test are kept.
 */
interface TestStore {

	PartitionStore store();

	/** Forget everything. */
	void reset();

	record InMemory(InMemoryTaskStore store) implements TestStore {

		@Override
		public void reset() {
			this.store.reset();
		}

	}

}
