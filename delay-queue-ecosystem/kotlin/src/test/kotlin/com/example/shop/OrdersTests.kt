package com.example.shop

import io.github.delayqueue.annotation.DelayQueueListener
import io.github.delayqueue.producer.DelayQueueOperations
import io.github.delayqueue.test.DelayQueueTest
import io.github.delayqueue.test.DelayQueueTestClock
import io.github.delayqueue.test.DelayQueueTester
import io.github.delayqueue.testsupport.Heavy
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.stereotype.Service
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap

data class Order(val number: String, val item: String)

@Service
class Orders(private val delayQueue: DelayQueueOperations) {

	val closed: MutableSet<String> = ConcurrentHashMap.newKeySet()

	fun place(order: Order) {
		delayQueue.schedule("order_timeout", order.number, order, Duration.ofMinutes(30))
	}

	@DelayQueueListener(queue = ["order_timeout"])
	fun close(order: Order) {
		closed += order.number
	}

}

/** What docs/guide/start.md shows. */
@Heavy
@DelayQueueTest(classes = [Orders::class])
class OrdersTests {

	@Autowired
	private lateinit var orders: Orders

	@Autowired
	private lateinit var clock: DelayQueueTestClock

	@Autowired
	private lateinit var tester: DelayQueueTester

	@Test
	fun `order that nobody pays is closed after half an hour`() {
		orders.place(Order("order_123", "book"))
		clock.advance(Duration.ofMinutes(29))
		assertThat(orders.closed).isEmpty()
		clock.advance(Duration.ofMinutes(1))
		assertThat(orders.closed).containsExactly("order_123")
		tester.queue("order_timeout").assertThat().isEmpty()
	}

}
