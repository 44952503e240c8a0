package io.github.delayqueue.ecosystem.plain;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * Closes orders after a while.
 */
class Orders {

	private final DelayQueueOperations delayQueue;

	private final List<Order> closed = new CopyOnWriteArrayList<>();

	Orders(DelayQueueOperations delayQueue) {
		this.delayQueue = delayQueue;
	}

	void place(Order order) {
		this.delayQueue.schedule("order_timeout", order.number(), order, Duration.ofMillis(100));
	}

	@DelayQueueListener(queue = "order_timeout", maxAttempts = "2", retryDelay = "10ms")
	void close(Order order) {
		this.closed.add(order);
		if (order.item().equals("unlucky") && this.closed.indexOf(order) == this.closed.lastIndexOf(order)) {
			throw new IllegalStateException("Not at the first attempt");
		}
	}

	List<Order> closed() {
		return this.closed;
	}

	record Order(String number, String item) {

	}

}
