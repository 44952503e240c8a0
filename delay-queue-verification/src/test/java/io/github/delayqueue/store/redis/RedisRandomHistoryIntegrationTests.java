package io.github.delayqueue.store.redis;

import io.github.delayqueue.testsupport.Driver;

import io.github.delayqueue.testsupport.TestEffort;

/**
 * Hundreds of histories, thousands in a full run, by way of Lettuce.
 */
class RedisRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	/** How many there are in a full run. */
	static final int SEQUENCES = 2500;

	RedisRandomHistoryIntegrationTests() {
		super(Driver.LETTUCE);
	}

	@Override
	protected int sequences() {
		return TestEffort.pick(150, SEQUENCES);
	}

}
