package io.github.delayqueue.store.redis;

import java.time.Duration;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * The contract on a cluster: the queue of each test has a slot of its own.
 */
@ParameterizedClass
@EnumSource(ClusterIntegrationTests.Driver.class)
class ClusterStoreContractIntegrationTests extends AbstractVersionedStoreContractTests {

	private static final MutableClock clock = new MutableClock(START);

	private static RedisConnectionFactory connections;

	private static RedisTaskStore store;

	ClusterStoreContractIntegrationTests(ClusterIntegrationTests.Driver driver) {
	}

	@BeforeParameterizedClassInvocation
	static void open(ClusterIntegrationTests.Driver driver) throws Exception {
		connections = driver.connect();
		store = new RedisTaskStore(connections, "contract:", Duration.ofSeconds(5), clock);
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

}
