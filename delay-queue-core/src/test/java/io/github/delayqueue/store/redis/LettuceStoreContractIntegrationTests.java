package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract by way of Lettuce.
 */
class LettuceStoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) {
		open(Driver.LETTUCE.connect(server));
	}

}
