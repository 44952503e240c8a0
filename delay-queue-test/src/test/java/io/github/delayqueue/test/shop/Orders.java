package io.github.delayqueue.test.shop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

/** What the tests of the documents are about. */
@Component
class Orders {

	private final DelayQueueOperations delayQueue;

	private final List<String> closed = new ArrayList<>();

	Orders(DelayQueueOperations delayQueue) {
		this.delayQueue = delayQueue;
	}

	void place(Order order) {
		this.delayQueue.schedule("order_timeout", order.number(), order, Duration.ofMinutes(30));
	}

	void pay(String number) {
		this.delayQueue.cancel("order_timeout", number);
	}

	@DelayQueueListener(queue = "order_timeout")
	void close(Order order) {
		this.closed.add(order.number());
	}

	boolean isClosed(String number) {
		return this.closed.contains(number);
	}

}
