package com.example.shop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

import org.springframework.stereotype.Service;

@Service
class Orders {

	private final DelayQueueOperations delayQueue;

	private final Set<String> closed = ConcurrentHashMap.newKeySet();

	Orders(DelayQueueOperations delayQueue) {
		this.delayQueue = delayQueue;
	}

	void place(Order order) {
		this.delayQueue.schedule("order_timeout", order.number(), order, Duration.ofMinutes(30));
	}

	@DelayQueueListener(queue = "order_timeout")
	void close(Order order) {
		this.closed.add(order.number());
	}

	boolean isClosed(String number) {
		return this.closed.contains(number);
	}

}
