package io.github.delayqueue.sample.order;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.github.delayqueue.sample.state.Change;
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

	private final OrderService service;

	private final Orders orders;

	private final Tally tally;

	OrderController(OrderService service, Orders orders, Tally tally) {
		this.service = service;
		this.orders = orders;
		this.tally = tally;
	}

	@PostMapping
	@Operation(summary = "Order something")
	ResponseEntity<Order> create(@Valid @RequestBody NewOrder request,
			@Parameter(description = "Fail once order and time-out are written, and see that neither is left") //
			@RequestParam(defaultValue = "false") boolean fail) {
		Order order = this.service.place(request.item(), fail);
		this.tally.count("ordersCreated");
		return Created.at(order.orderNo(), order);
	}

	@PostMapping("/{orderNo}/pay")
	@Operation(summary = "Pay an order, unless it is cancelled")
	Order pay(@PathVariable String orderNo) {
		Change<Order> change = this.service.pay(orderNo).orElseThrow(() -> Problems.notFound("order", orderNo));
		if (change.after().status() == Order.Status.CANCELLED) {
			throw Problems.conflict("Order '" + orderNo + "' was cancelled at " + change.after().closedAt()
					+ " and can no longer be paid");
		}
		if (change.happened()) {
			this.tally.count("ordersPaid");
		}
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
