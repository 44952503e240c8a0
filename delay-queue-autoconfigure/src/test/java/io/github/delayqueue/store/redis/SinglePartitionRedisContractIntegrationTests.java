package io.github.delayqueue.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestRedis;

/**
 * The whole contract, of queues with a single partition each.
 */
class SinglePartitionRedisContractIntegrationTests extends AbstractVersionedStoreContractTests {

	private static final String PREFIX = "partitioned:";

	private static final MutableClock clock = new MutableClock(START);

	private static LettuceConnectionFactory connections;

	private static RedisTaskStore store;

	@BeforeAll
	static void open() {
		connections = new LettuceConnectionFactory(TestRedis.host(), TestRedis.port());
		connections.afterPropertiesSet();
		connections.start();
		store = new RedisTaskStore(connections, PREFIX, Duration.ofSeconds(5), clock);
	}

	@AfterAll
	static void close() {
		store.destroy();
		connections.destroy();
	}

	@Override
	public TaskStore store() {
		return new PartitionedTaskStore(store, (queue) -> 1);
	}

	@Override
	public MutableClock clock() {
		return clock;
	}

	@Override
	protected void assertInvariant(String queue) {
		new QueueKeyspace(TestRedis.server(), PREFIX, queue).assertInvariant();
	}

}
