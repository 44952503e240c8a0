package io.github.delayqueue.store.redis;

import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The contract by way of Lettuce.
 */
class LettuceStoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	@BeforeAll
	static void connect() throws Exception {
		open(LettuceConnectionFactory::new);
	}

}
