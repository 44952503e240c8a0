package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract by way of Lettuce.
 */
class LettuceStoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) throws Exception {
		open(server, LettuceConnectionFactory::new);
	}

}
