package io.github.delayqueue.ecosystem.webflux;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

/**
 * Schedules without blocking, and handles what is due by a {@link Mono}.
 */
@RestController
class OrderController {

	private final DelayQueueOperations delayQueue;

	private final Map<String, String> statuses = new ConcurrentHashMap<>();

	OrderController(DelayQueueOperations delayQueue) {
		this.delayQueue = delayQueue;
	}

	@PostMapping("/orders/{number}")
	@ResponseStatus(HttpStatus.CREATED)
	Mono<String> place(@PathVariable String number) {
		TaskRequest task = TaskRequest.queue("order_timeout")
			.id(number)
			.payload(new Order(number))
			.delay(Duration.ofMillis(100))
			.build();
		return Mono.fromFuture(() -> this.delayQueue.scheduleAsync(task))
			.doOnNext((scheduled) -> this.statuses.putIfAbsent(number, "CREATED"))
			.map((scheduled) -> scheduled.taskId());
	}

	@GetMapping("/orders/{number}")
	Mono<String> status(@PathVariable String number) {
		return Mono.justOrEmpty(this.statuses.get(number));
	}

	@DelayQueueListener(queue = "order_timeout")
	Mono<Void> close(Order order) {
		return Mono.delay(Duration.ofMillis(50))
			.doOnNext((tick) -> this.statuses.put(order.number(), "CANCELLED"))
			.then();
	}

	record Order(String number) {

	}

}
