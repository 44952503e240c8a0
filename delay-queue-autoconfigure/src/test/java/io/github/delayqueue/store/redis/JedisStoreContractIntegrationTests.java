package io.github.delayqueue.store.redis;

import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * The contract by way of Jedis.
 */
class JedisStoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	@BeforeAll
	static void connect() throws Exception {
		open(JedisConnectionFactory::new);
	}

}
