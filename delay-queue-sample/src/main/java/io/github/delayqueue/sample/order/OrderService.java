package io.github.delayqueue.sample.order;

import java.time.Clock;
import java.util.Optional;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.sample.SampleProperties;
import io.github.delayqueue.sample.state.Change;
import io.github.delayqueue.sample.web.Problems;

/**
 * What is done with orders, each in one transaction: the queue of their time-outs has a
 * journal, so what is scheduled and cancelled here is committed with the order, or not at
 * all.
 */
@Service
@Transactional
class OrderService {

	private final Orders orders;

	private final DelayQueueOperations delayQueue;

	private final SampleProperties properties;

	private final Clock clock;

	OrderService(Orders orders, DelayQueueOperations delayQueue, SampleProperties properties, Clock clock) {
		this.orders = orders;
		this.delayQueue = delayQueue;
		this.properties = properties;
		this.clock = clock;
	}

	/**
	 * Place an order, and schedule that it is cancelled.
	 * @param item what is ordered
	 * @param fail whether to fail when all has been done, to see what is left then
	 * @return the order
	 */
	Order place(String item, boolean fail) {
		Order order = this.orders.add(item, this.clock.instant().plus(this.properties.orderTimeout()));
		this.delayQueue.schedule(OrderTimeoutListener.QUEUE, order.orderNo(), order, order.closesAt());
		if (fail) {
			throw Problems.failed("Order '" + order.orderNo()
					+ "' failed after its timeout had been scheduled: neither of them is left");
		}
		return order;
	}

	/**
	 * Pay an order if it is open, and with that cancel its time-out.
	 * @param orderNo its number
	 * @return what became of it, empty if there is no such order
	 */
	Optional<Change<Order>> pay(String orderNo) {
		Optional<Change<Order>> change = this.orders.update(orderNo, (order) -> order.paid(this.clock.instant()));
		if (change.filter(Change::happened).isPresent()) {
			this.delayQueue.cancel(OrderTimeoutListener.QUEUE, orderNo);
		}
		return change;
	}

	/**
	 * Cancel an order if it is open.
	 * @param orderNo its number
	 * @return what became of it, empty if there is no such order
	 */
	Optional<Change<Order>> close(String orderNo) {
		return this.orders.update(orderNo, (order) -> order.cancelled(this.clock.instant()));
	}

}
