package io.github.delayqueue.store.redis;

import io.github.delayqueue.groups.GroupedHistories;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestEffort;

/** As {@link GroupedRandomHistoryIntegrationTests}, with groups which have a rate. */
class RatedGroupsRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	RatedGroupsRandomHistoryIntegrationTests() {
		super(Driver.LETTUCE);
	}

	@Override
	protected GroupedQueues groups() {
		return GroupedHistories.rated();
	}

	@Override
	protected int sequences() {
		return TestEffort.pick(50, 500);
	}

}
