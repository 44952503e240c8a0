package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract by way of Jedis.
 */
class JedisStoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) {
		open(Driver.JEDIS.connect(server));
	}

}
