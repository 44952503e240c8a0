package io.github.delayqueue.store.redis;

import io.github.delayqueue.groups.GroupedHistories;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestEffort;

/**
 * Histories of queues that have groups: Redis decides whose turn it is, within what the
 * model allows.
 */
class GroupedRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	GroupedRandomHistoryIntegrationTests() {
		super(Driver.LETTUCE);
	}

	@Override
	protected GroupedQueues groups() {
		return GroupedHistories.limited();
	}

	@Override
	protected int sequences() {
		return TestEffort.pick(100, 1000);
	}

}
