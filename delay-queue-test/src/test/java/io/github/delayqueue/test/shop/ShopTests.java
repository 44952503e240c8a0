package io.github.delayqueue.test.shop;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import io.github.delayqueue.test.DelayQueueTest;
import io.github.delayqueue.test.DelayQueueTestClock;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.MOCK)
@DelayQueueTest
class ShopTests {

	@Test
	void orderIsClosedInTheWholeApplication(@Autowired Orders orders, @Autowired DelayQueueTestClock clock) {
		orders.place(new Order("order_125", "book"));
		clock.advance(Duration.ofMinutes(30));
		assertThat(orders.isClosed("order_125")).isTrue();
	}

}
