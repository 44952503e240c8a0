package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.function.Function;

import org.junit.jupiter.api.AfterAll;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.delayqueue.store.AbstractTaskStoreContractTests;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestRedis;

/**
 * The contract on a real Redis whose scripts are given the time of a clock to turn.
 */
abstract class AbstractRedisStoreContractIntegrationTests extends AbstractTaskStoreContractTests {

	private static final String PREFIX = "contract:";

	private static final MutableClock clock = new MutableClock(START);

	private static RedisConnectionFactory connections;

	private static RedisTaskStore store;

	static void open(Function<RedisStandaloneConfiguration, RedisConnectionFactory> driver) throws Exception {
		connections = driver.apply(new RedisStandaloneConfiguration(TestRedis.host(), TestRedis.port()));
		((InitializingBean) connections).afterPropertiesSet();
		((SmartLifecycle) connections).start();
		store = new RedisTaskStore(connections, PREFIX, Duration.ofSeconds(5), clock);
	}

	@AfterAll
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
		new QueueKeyspace(PREFIX, queue).assertInvariant();
	}

}
