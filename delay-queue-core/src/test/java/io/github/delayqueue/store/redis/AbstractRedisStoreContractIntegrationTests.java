package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.TaskStore;
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

	private static TaskStore store;

	private static RedisConnectionFactory connections;

	@Parameter
	private TestServer server;

	static void open(RedisConnectionFactory current) {
		connections = current;
		stores = RedisStores.on(connections).keyPrefix(PREFIX).clock(clock);
		store = stores.open();
	}

	@AfterParameterizedClassInvocation
	static void close() {
		stores.close();
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
		assertThat(QueueCheck.of(connections, PREFIX + "{" + queue + "}").findings()).isEmpty();
	}

}
