package io.github.delayqueue.store.redis;

import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Some histories by way of Jedis.
 */
class JedisRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	JedisRandomHistoryIntegrationTests() {
		super(JedisConnectionFactory::new);
	}

	@Override
	protected int sequences() {
		return 400;
	}

}
