package io.github.delayqueue.ecosystem.aot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.TaskQueue;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * Listeners of all kinds.
 */
@Component
class Orders {

	private final TaskQueue<Order> batches;

	private final Queue<Object> handled = new ConcurrentLinkedQueue<>();

	Orders(DelayQueueOperations delayQueue) {
		this.batches = delayQueue.queue("aot_batch", Order.class);
	}

	void place(String id, Order order) {
		this.batches.schedule(id, order, Duration.ZERO);
	}

	@DelayQueueListener(queue = "aot_order")
	void close(Order order, @Header("tenant") String tenant, TaskContext context) {
		this.handled.add(order);
		this.handled.add(tenant);
	}

	@DelayQueueListener(queue = "aot_batch", batchSize = "10")
	List<TaskResult> closeAll(List<DelayedTask<Order>> tasks) {
		tasks.forEach((task) -> this.handled.add(task.id()));
		return tasks.stream().map((task) -> TaskResult.done()).toList();
	}

	@DelayQueueListener(queue = "aot_map")
	void handle(Map<String, List<Item>> items) {
		this.handled.add(items);
	}

	@DelayQueueListener(queue = "aot_failing", maxAttempts = "2", retryDelay = "10ms")
	void fail(Order order) {
		throw new IllegalStateException("as it is meant to");
	}

	Queue<Object> handled() {
		return this.handled;
	}

	record Order(String number, Instant placedAt, List<Item> items) {

	}

	record Item(String name, int count) {

	}

}
