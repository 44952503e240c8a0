package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import io.github.delayqueue.store.GeneratedIds;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestServer;

/**
 * The whole contract, of tasks whose ids are said to be generated: those that come alone
 * are stored by a script of their own.
 */
@Heavy
class GeneratedIdsRedisContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) {
		open(RedisStores.on(Driver.LETTUCE.connect(server)));
	}

	@Override
	public TaskStore store() {
		return GeneratedIds.of(super.store());
	}

}
