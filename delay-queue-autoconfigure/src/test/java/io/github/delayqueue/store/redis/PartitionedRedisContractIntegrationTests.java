package io.github.delayqueue.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.store.AbstractPartitionedContractTests;
import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestRedis;

/**
 * The contract of queues with partitions in Redis.
 */
class PartitionedRedisContractIntegrationTests extends AbstractPartitionedContractTests {

	private static final MutableClock clock = new MutableClock(START);

	private static LettuceConnectionFactory connections;

	private static RedisTaskStore store;

	@BeforeAll
	static void open() {
		connections = new LettuceConnectionFactory(TestRedis.host(), TestRedis.port());
		connections.afterPropertiesSet();
		connections.start();
		store = new RedisTaskStore(connections, "partitioned:", Duration.ofSeconds(5), clock);
	}

	@AfterAll
	static void close() {
		store.destroy();
		connections.destroy();
	}

	@Override
	protected PartitionStore partitions() {
		return store;
	}

	@Override
	public MutableClock clock() {
		return clock;
	}

}
