package io.github.delayqueue.test;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.store.redis.RedisTaskStore;

/**
 * Keeps the tasks of a test in a Redis that others may use as well: all keys have a
 * prefix that nobody else has, and are removed after each test.
 */
final class RedisTestStore implements TestStore, SmartLifecycle, DisposableBean {

	private static final int SCAN_COUNT = 1000;

	private final RedisConnectionFactory connectionFactory;

	private final String keyPrefix;

	private final RedisTaskStore store;

	/** Whether keys may be left. */
	private volatile boolean used = true;

	RedisTestStore(RedisConnectionFactory connectionFactory, String keyPrefix, Duration commandTimeout, Clock clock) {
		this.connectionFactory = connectionFactory;
		this.keyPrefix = keyPrefix + "test-" + UUID.randomUUID() + ":";
		this.store = new RedisTaskStore(connectionFactory, this.keyPrefix, commandTimeout, clock);
		this.store.start();
	}

	@Override
	public PartitionStore store() {
		return this.store;
	}

	@Override
	public void reset() {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			ScanOptions options = ScanOptions.scanOptions().match(pattern()).count(SCAN_COUNT).build();
			if (connection instanceof RedisClusterConnection cluster) {
				for (RedisClusterNode node : cluster.clusterGetNodes()) {
					if (node.isMaster()) {
						remove(connection, cluster.scan(node, options));
					}
				}
			}
			else {
				remove(connection, connection.keyCommands().scan(options));
			}
		}
		this.used = false;
	}

	@Override
	public void begin() {
		this.used = true;
	}

	/** A key prefix may hold what means something in a pattern. */
	private String pattern() {
		return this.keyPrefix.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0") + "*";
	}

	private static void remove(RedisConnection connection, Cursor<byte[]> keys) {
		try (keys) {
			keys.forEachRemaining((key) -> connection.keyCommands().unlink(key));
		}
	}

	@Override
	public void start() {
		this.store.start();
	}

	/** Redis may be gone by now, with the container that a test class had. */
	@Override
	public void stop() {
		try {
			if (this.used) {
				reset();
			}
		}
		finally {
			this.store.stop();
		}
	}

	@Override
	public boolean isRunning() {
		return this.store.isRunning();
	}

	/** Before the connection factory stops, without which nothing can be removed. */
	@Override
	public int getPhase() {
		return 1;
	}

	@Override
	public void destroy() {
		this.store.destroy();
	}

	@Override
	public String toString() {
		return "Redis, keys below " + this.keyPrefix;
	}

}
