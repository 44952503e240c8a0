package io.github.delayqueue.store.redis;

import io.github.delayqueue.groups.GroupedHistories;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestEffort;

/**
 * As {@link GroupedRandomHistoryIntegrationTests}, with groups that have no limit: a
 * claim takes many tasks of each.
 */
class TurnsRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	TurnsRandomHistoryIntegrationTests() {
		super(Driver.LETTUCE);
	}

	@Override
	protected GroupedQueues groups() {
		return GroupedHistories.inTurn();
	}

	/** Some dozens of tasks each where there are many: more than a claim takes. */
	@Override
	protected int groupCount() {
		return 11;
	}

	@Override
	protected int sequences() {
		return TestEffort.pick(100, 1000);
	}

}
