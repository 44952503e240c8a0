package io.github.delayqueue.migration;

import java.util.concurrent.TimeUnit;

import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;

/**
 * A {@code RDelayedQueue}, which Redisson has deprecated.
 *
 * @param <V> type of the values
 */
@SuppressWarnings("deprecation")
final class OldQueue<V> {

	private final RDelayedQueue<V> queue;

	OldQueue(RedissonClient redisson, String name) {
		this.queue = redisson.getDelayedQueue(redisson.<V>getBlockingQueue(name));
	}

	void offer(V value, long delay, TimeUnit unit) {
		this.queue.offer(value, delay, unit);
	}

	int size() {
		return this.queue.size();
	}

}
