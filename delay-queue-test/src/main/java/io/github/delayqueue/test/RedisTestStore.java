package io.github.delayqueue.test;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.store.redis.RedisTaskStore;

/**
 * Keeps the tasks of a test in a Redis that others may use as well: all keys have a
 * prefix that nobody else has, and are removed after each test.
 */
final class RedisTestStore implements TestStore, SmartLifecycle, DisposableBean {

	private final String keyPrefix;

	private final RedisTaskStore store;

	RedisTestStore(RedisConnectionFactory connectionFactory, String keyPrefix, Duration commandTimeout, Clock clock) {
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
		this.store.removeAll();
	}

	@Override
	public void start() {
		this.store.start();
	}

	/**
	 * Redis may be gone by now, with the container that a test class had; then there is
	 * nothing to remove but what a test has left since it was reset.
	 */
	@Override
	public void stop() {
		try {
			reset();
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
