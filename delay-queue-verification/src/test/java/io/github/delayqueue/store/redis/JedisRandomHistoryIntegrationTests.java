package io.github.delayqueue.store.redis;

import io.github.delayqueue.testsupport.Driver;

import io.github.delayqueue.testsupport.TestEffort;

import io.github.delayqueue.testsupport.Heavy;

/**
 * Some histories by way of Jedis.
 */
@Heavy
class JedisRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	JedisRandomHistoryIntegrationTests() {
		super(Driver.JEDIS);
	}

	@Override
	protected int sequences() {
		return TestEffort.pick(80, 400);
	}

}
