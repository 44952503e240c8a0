package io.github.delayqueue.sample.order;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.sample.state.Change;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;

/**
 * Cancels orders that have not been paid. Runs on one of the instances, once the time of
 * an order is up.
 */
@Component
class OrderTimeoutListener {

	static final String QUEUE = "order_timeout";

	private static final Logger logger = LoggerFactory.getLogger(OrderTimeoutListener.class);

	private final Records<Order> orders;

	private final Tally tally;

	private final Clock clock;

	OrderTimeoutListener(RecordsFactory recordsFactory, Tally tally, Clock clock) {
		this.orders = recordsFactory.records("order", Order.class);
		this.tally = tally;
		this.clock = clock;
	}

	@DelayQueueListener(queue = QUEUE)
	void close(Order order) {
		Instant now = this.clock.instant();
		// The order as it is now decides, not as it was when the task was scheduled
		Change<Order> change = this.orders.update(order.orderNo(), order, (current) -> current.cancelled(now));
		if (change.happened()) {
			this.tally.count("ordersCancelled");
			logger.info("{} cancelled, {} ms after its time was up", order.orderNo(),
					Duration.between(order.closesAt(), now).toMillis());
		}
	}

}
