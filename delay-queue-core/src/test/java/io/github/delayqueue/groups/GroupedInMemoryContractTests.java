package io.github.delayqueue.groups;

import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.GroupsContract;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.GroupTurns;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * The contract in memory, where all queues have groups.
 */
class GroupedInMemoryContractTests extends AbstractVersionedStoreContractTests implements GroupsContract {

	private final MutableClock clock = new MutableClock(START);

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	GroupedInMemoryContractTests() {
		GroupedQueues all = new GroupedQueues(GroupsContract::options);
		this.store.setOrders((queue) -> GroupTurns.of(all, queue));
	}

	@Override
	public TaskStore store() {
		return this.store;
	}

	@Override
	public MutableClock clock() {
		return this.clock;
	}

}
