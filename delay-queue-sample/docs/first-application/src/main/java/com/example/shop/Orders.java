package com.example.shop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Orders {

	private final DelayQueueOperations delayQueue;

	private final Set<String> closed = ConcurrentHashMap.newKeySet();

	Orders(DelayQueueOperations delayQueue) {
		this.delayQueue = delayQueue;
	}

	@PostMapping("/orders")
	void place(@RequestBody Order order) {
		this.delayQueue.schedule("order_timeout", order.number(), order, Duration.ofMinutes(30));
	}

	@DelayQueueListener(queue = "order_timeout")
	void close(Order order) {
		this.closed.add(order.number());
	}

	@GetMapping("/orders/{number}/closed")
	boolean isClosed(@PathVariable String number) {
		return this.closed.contains(number);
	}

}
