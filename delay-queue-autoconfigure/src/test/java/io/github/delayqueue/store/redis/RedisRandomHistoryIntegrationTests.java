package io.github.delayqueue.store.redis;

import io.github.delayqueue.testsupport.Driver;

/**
 * Thousands of histories by way of Lettuce.
 */
class RedisRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	static final int SEQUENCES = 2500;

	RedisRandomHistoryIntegrationTests() {
		super(Driver.LETTUCE);
	}

	@Override
	protected int sequences() {
		return SEQUENCES;
	}

}
