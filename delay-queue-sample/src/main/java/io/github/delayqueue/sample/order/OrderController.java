package io.github.delayqueue.sample.order;

import java.time.Clock;
import java.time.Instant;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.sample.SampleProperties;
import io.github.delayqueue.sample.state.Change;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;
import io.github.delayqueue.sample.web.Created;
import io.github.delayqueue.sample.web.Problems;

/**
 * Orders. Each is scheduled to be cancelled, and paying takes that back.
 */
@RestController
@RequestMapping("/orders")
@Tag(name = "Orders", description = "An order that nobody pays is cancelled")
class OrderController {

	private final DelayQueueOperations delayQueue;

	private final Records<Order> orders;

	private final Tally tally;

	private final SampleProperties properties;

	private final Clock clock;

	OrderController(DelayQueueOperations delayQueue, RecordsFactory recordsFactory, Tally tally,
			SampleProperties properties, Clock clock) {
		this.delayQueue = delayQueue;
		this.orders = recordsFactory.records("order", Order.class);
		this.tally = tally;
		this.properties = properties;
		this.clock = clock;
	}

	@PostMapping
	@Operation(summary = "Order something")
	ResponseEntity<Order> create(@Valid @RequestBody NewOrder request) {
		Instant closesAt = this.clock.instant().plus(this.properties.orderTimeout());
		Order order = Order.open(this.orders.nextId(), request.item(), closesAt);
		// First the task, then the record. Should the application die in between, an
		// order
		// times out that nobody knows. The other way round, an order would never close.
		this.delayQueue.schedule(OrderTimeoutListener.QUEUE, order.orderNo(), order, closesAt);
		this.orders.saveIfAbsent(order.orderNo(), order);
		this.tally.count("ordersCreated");
		return Created.at(order.orderNo(), order);
	}

	@PostMapping("/{orderNo}/pay")
	@Operation(summary = "Pay an order, unless it is cancelled")
	Order pay(@PathVariable String orderNo) {
		Instant now = this.clock.instant();
		Change<Order> change = this.orders.update(orderNo, (order) -> order.paid(now))
			.orElseThrow(() -> Problems.notFound("order", orderNo));
		if (change.after().status() == Order.Status.CANCELLED) {
			throw Problems.conflict("Order '" + orderNo + "' was cancelled at " + change.after().closedAt()
					+ " and can no longer be paid");
		}
		if (change.happened()) {
			this.tally.count("ordersPaid");
		}
		// Tidiness, not safety: a time-out that runs nevertheless finds the order paid
		this.delayQueue.cancel(OrderTimeoutListener.QUEUE, orderNo);
		return change.after();
	}

	@GetMapping("/{orderNo}")
	@Operation(summary = "Look at an order")
	Order get(@PathVariable String orderNo) {
		return this.orders.find(orderNo).orElseThrow(() -> Problems.notFound("order", orderNo));
	}

	record NewOrder(@NotBlank @Size(max = 200) String item) {

	}

}
