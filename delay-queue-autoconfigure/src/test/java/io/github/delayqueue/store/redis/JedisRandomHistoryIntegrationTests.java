package io.github.delayqueue.store.redis;

import io.github.delayqueue.testsupport.Driver;

/**
 * Some histories by way of Jedis.
 */
class JedisRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	JedisRandomHistoryIntegrationTests() {
		super(Driver.JEDIS);
	}

	@Override
	protected int sequences() {
		return 400;
	}

}
