package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract by way of Jedis.
 */
class JedisStoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) throws Exception {
		open(server, JedisConnectionFactory::new);
	}

}
