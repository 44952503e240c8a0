package com.example.shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrdersController {

	private final Orders orders;

	OrdersController(Orders orders) {
		this.orders = orders;
	}

	@PostMapping("/orders")
	void place(@RequestBody Order order) {
		this.orders.place(order);
	}

	@GetMapping("/orders/{number}/closed")
	boolean closed(@PathVariable String number) {
		return this.orders.isClosed(number);
	}

}
