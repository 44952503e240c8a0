package io.github.delayqueue.test.shop;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.test.DelayQueueTest;
import io.github.delayqueue.test.DelayQueueTestClock;
import io.github.delayqueue.test.DelayQueueTester;

import static org.assertj.core.api.Assertions.assertThat;

@DelayQueueTest(classes = Orders.class)
class PaidOrdersTests {

	@Autowired
	private Orders orders;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Test
	void orderThatIsPaidIsNotClosed() {
		this.orders.place(new Order("order_124", "book"));
		this.orders.pay("order_124");
		assertThat(this.tester.queue("order_timeout")).isEmpty();
		this.clock.advance(Duration.ofDays(1));
		assertThat(this.orders.isClosed("order_124")).isFalse();
	}

}
