package io.github.delayqueue.store.redis;

import io.github.delayqueue.groups.GroupedHistories;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestEffort;

/**
 * As {@link GroupedRandomHistoryIntegrationTests}, with groups which keep their order
 * strictly.
 */
class OrderedGroupsRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	OrderedGroupsRandomHistoryIntegrationTests() {
		super(Driver.LETTUCE);
	}

	@Override
	protected GroupedQueues groups() {
		return GroupedHistories.ordered();
	}

	/** One group and none: a task that failed seldom finds another one of its group. */
	@Override
	protected int groupCount() {
		return 2;
	}

	@Override
	protected int sequences() {
		return TestEffort.pick(100, 1000);
	}

}
