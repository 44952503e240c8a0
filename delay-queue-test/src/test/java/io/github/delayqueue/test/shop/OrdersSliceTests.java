package io.github.delayqueue.test.shop;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.context.annotation.Import;

import io.github.delayqueue.test.AutoConfigureDelayQueueTest;
import io.github.delayqueue.test.DelayQueueTestClock;

import static org.assertj.core.api.Assertions.assertThat;

@JsonTest
@AutoConfigureDelayQueueTest
@Import(Orders.class)
class OrdersSliceTests {

	@Test
	void orderIsClosedInTheSlice(@Autowired Orders orders, @Autowired DelayQueueTestClock clock) {
		orders.place(new Order("order_126", "book"));
		clock.advance(Duration.ofMinutes(30));
		assertThat(orders.isClosed("order_126")).isTrue();
	}

}
