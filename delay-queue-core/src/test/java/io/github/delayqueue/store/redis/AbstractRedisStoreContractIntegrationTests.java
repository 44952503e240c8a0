package io.github.delayqueue.store.redis;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract on real servers whose scripts are given the time of a clock to turn.
 */
@EachServer
abstract class AbstractRedisStoreContractIntegrationTests extends AbstractVersionedStoreContractTests {

	private static final String PREFIX = "contract:";

	private static final MutableClock clock = new MutableClock(START);

	private static RedisStores stores;

	private static RedisTaskStore store;

	/** For what the user of the store need not be allowed. */
	private static @Nullable RedisConnectionFactory checking;

	@Parameter
	private TestServer server;

	static RedisTaskStore open(RedisConnectionFactory current) {
		stores = RedisStores.on(current).keyPrefix(PREFIX).clock(clock);
		store = stores.open();
		return store;
	}

	@AfterParameterizedClassInvocation
	static void close() {
		stores.close();
		if (checking != null) {
			Connections.close(checking);
			checking = null;
		}
	}

	@Override
	public TaskStore store() {
		return store;
	}

	@Override
	public MutableClock clock() {
		return clock;
	}

	@Override
	protected void assertInvariant(String queue) {
		new QueueKeyspace(this.server, PREFIX, queue).assertInvariant();
		if (checking == null) {
			checking = Driver.LETTUCE.connect(this.server);
		}
		assertThat(QueueCheck.of(checking, PREFIX + "{" + queue + "}").findings()).isEmpty();
	}

}
