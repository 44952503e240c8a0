package io.github.delayqueue.sample.order;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.sample.state.Change;
import io.github.delayqueue.sample.state.Tally;

/**
 * Cancels orders that have not been paid. Runs on one of the instances, once the time of
 * an order is up.
 */
@Component
class OrderTimeoutListener {

	static final String QUEUE = "order_timeout";

	private static final Logger logger = LoggerFactory.getLogger(OrderTimeoutListener.class);

	private final OrderService orders;

	private final Tally tally;

	OrderTimeoutListener(OrderService orders, Tally tally) {
		this.orders = orders;
		this.tally = tally;
	}

	@DelayQueueListener(queue = QUEUE)
	void close(Order order) {
		// The order as it is now decides, not as it was when the task was scheduled
		this.orders.close(order.orderNo()).filter(Change::happened).map(Change::after).ifPresent((closed) -> {
			this.tally.count("ordersCancelled");
			logger.info("{} cancelled, {} ms after its time was up", closed.orderNo(),
					Duration.between(closed.closesAt(), closed.closedAt()).toMillis());
		});
	}

}
