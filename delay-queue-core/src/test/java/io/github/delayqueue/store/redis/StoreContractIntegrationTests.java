package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract over the connections of the application, as they are.
 */
class StoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) {
		open(RedisStores.on(Driver.LETTUCE.connect(server)));
	}

}
