package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.store.GroupsContract;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract where all queues have groups: for tasks without one, all is as in any
 * queue.
 */
class GroupedStoreContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests
		implements GroupsContract {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) {
		open(RedisStores.on(Driver.LETTUCE.connect(server))).add(new GroupedQueues(GroupsContract::options));
	}

}
