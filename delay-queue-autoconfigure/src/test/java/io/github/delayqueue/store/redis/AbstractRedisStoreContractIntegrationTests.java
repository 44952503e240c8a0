package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.function.Function;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract on real servers whose scripts are given the time of a clock to turn.
 */
@EachServer
abstract class AbstractRedisStoreContractIntegrationTests extends AbstractVersionedStoreContractTests {

	private static final String PREFIX = "contract:";

	private static final MutableClock clock = new MutableClock(START);

	private static RedisConnectionFactory connections;

	private static RedisTaskStore store;

	@Parameter
	private TestServer server;

	static void open(TestServer server, Function<RedisStandaloneConfiguration, RedisConnectionFactory> driver)
			throws Exception {
		connections = driver.apply(new RedisStandaloneConfiguration(server.host(), server.port()));
		((InitializingBean) connections).afterPropertiesSet();
		((SmartLifecycle) connections).start();
		store = new RedisTaskStore(connections, PREFIX, Duration.ofSeconds(5), clock);
	}

	@AfterParameterizedClassInvocation
	static void close() throws Exception {
		store.destroy();
		((DisposableBean) connections).destroy();
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
	}

}
