package io.github.delayqueue.test.shop;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.test.DelayQueueTest;
import io.github.delayqueue.test.DelayQueueTestClock;
import io.github.delayqueue.test.DelayQueueTester;

import static org.assertj.core.api.Assertions.assertThat;

@DelayQueueTest(classes = Orders.class)
class OrdersTests {

	@Autowired
	private Orders orders;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Test
	void orderThatNobodyPaysIsClosedAfterHalfAnHour() {
		this.orders.place(new Order("order_123", "book"));
		assertThat(this.tester.queue("order_timeout")).hasScheduled("order_123").dueIn(Duration.ofMinutes(30));
		this.clock.advance(Duration.ofMinutes(29));
		assertThat(this.orders.isClosed("order_123")).isFalse();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.orders.isClosed("order_123")).isTrue();
		assertThat(this.tester.queue("order_timeout")).isEmpty();
	}

}
