package com.example.shop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Orders {

	private final DelayQueueOperations delayQueue;

	private final Duration timeout;

	private final Set<String> closed = ConcurrentHashMap.newKeySet();

	Orders(DelayQueueOperations delayQueue, @Value("${shop.order-timeout}") Duration timeout) {
		this.delayQueue = delayQueue;
		this.timeout = timeout;
	}

	@PostMapping("/orders")
	void place(@RequestBody Order order) {
		this.delayQueue.schedule("order_timeout", order.number(), order, this.timeout);
	}

	@DelayQueueListener(queue = "order_timeout")
	void close(Order order) {
		this.closed.add(order.number());
	}

	@GetMapping("/orders/closed")
	Set<String> closed() {
		return this.closed;
	}

}
