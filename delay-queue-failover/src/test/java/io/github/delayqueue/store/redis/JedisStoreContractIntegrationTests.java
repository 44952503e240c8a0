package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.store.FleetContract;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract by way of Jedis.
 */
class JedisStoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests implements FleetContract {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) {
		open(DriverStores.on(Driver.JEDIS.connect(server)));
	}

}
