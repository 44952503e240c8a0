package io.github.delayqueue.store.redis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Thousands of histories by way of Lettuce.
 */
class RedisRandomHistoryIntegrationTests extends AbstractRedisRandomHistoryIntegrationTests {

	static final int SEQUENCES = 2500;

	RedisRandomHistoryIntegrationTests() {
		super(LettuceConnectionFactory::new);
	}

	@Override
	protected int sequences() {
		return SEQUENCES;
	}

}
