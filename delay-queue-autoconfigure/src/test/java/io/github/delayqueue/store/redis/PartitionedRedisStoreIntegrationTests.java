package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.store.AbstractPartitionedTaskStoreTests;
import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestRedis;

/**
 * Partitions and their growth in Redis.
 */
class PartitionedRedisStoreIntegrationTests extends AbstractPartitionedTaskStoreTests {

	private static LettuceConnectionFactory connections;

	private final List<RedisTaskStore> stores = new ArrayList<>();

	@BeforeAll
	static void connect() {
		connections = new LettuceConnectionFactory(TestRedis.host(), TestRedis.port());
		connections.afterPropertiesSet();
		connections.start();
	}

	@AfterAll
	static void disconnect() {
		connections.destroy();
	}

	@AfterEach
	void close() {
		this.stores.forEach(RedisTaskStore::destroy);
	}

	/** Knows of no queue, because its keys have a prefix of their own. */
	@Override
	protected PartitionStore open(MutableClock clock) {
		RedisTaskStore store = new RedisTaskStore(connections, "partitioned:" + UUID.randomUUID() + ":",
				Duration.ofSeconds(5), clock);
		this.stores.add(store);
		return store;
	}

}
