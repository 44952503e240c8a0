package io.github.delayqueue.ecosystem.kotlin

import io.github.delayqueue.testsupport.Heavy
import io.github.delayqueue.testsupport.RedisServer
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.getBean
import org.springframework.boot.runApplication
import org.springframework.context.ConfigurableApplicationContext

/**
 * Data classes as payloads, coroutines and suspend functions as handlers.
 */
@Heavy
class KotlinApplicationIntegrationTests {

	private val orders = application.getBean<Orders>()

	@Test
	fun `data class is written and read`() {
		val order = Order("order_1", listOf(Item("pen"), Item("book", 2)), "with care")
		orders.place("kotlin_order", order.number, order)
		await().untilAsserted { assertThat(orders.closed).contains(order) }
	}

	@Test
	fun `what is missing in the payload has the default of the data class`() {
		orders.place("kotlin_order", "order_2", mapOf("number" to "order_2", "items" to listOf(mapOf("name" to "pen"))))
		await().untilAsserted { assertThat(orders.closed).contains(Order("order_2", listOf(Item("pen", 1)), null)) }
	}

	@Test
	fun `coroutine is waited for as a future`() {
		orders.place("kotlin_coroutine", "order_3", Order("order_3"))
		await().untilAsserted { assertThat(orders.closed).contains("order_3") }
		await().until { RedisServer.shared().text("HLEN", "delay:queue:{kotlin_coroutine}:tasks") == "0" }
	}

	@Test
	fun `batch is a list of tasks`() {
		orders.place("kotlin_batch", "order_4", Order("order_4", listOf(Item("pen"))))
		await().untilAsserted { assertThat(orders.closed).contains(listOf("order_4" to listOf(Item("pen")))) }
	}

	@Test
	fun `suspend functions are waited for`() {
		orders.place("kotlin_suspend", "order_5", Order("order_5"))
		orders.place("kotlin_suspend_unit", "order_6", Order("order_6"))
		await().untilAsserted { assertThat(orders.closed).contains("order_5", "order_6") }
		await().until { RedisServer.shared().text("HEXISTS", "delay:queue:{kotlin_suspend}:tasks", "order_5") == "0" }
		await().until { RedisServer.shared().text("HEXISTS", "delay:queue:{kotlin_suspend_unit}:tasks", "order_6") == "0" }
	}

	@Test
	fun `suspend function that fails is tried again`() {
		orders.place("kotlin_suspend", "broken", Order("broken"))
		await().until { orders.lastFailure("kotlin_suspend", "broken") == "for a test" }
	}

	@Test
	fun `queue of a type is injected`() {
		orders.placeLater(Order("order_7"))
		await().untilAsserted { assertThat(orders.closed).contains("order_7") }
	}

	companion object {

		private lateinit var application: ConfigurableApplicationContext

		@BeforeAll
		@JvmStatic
		fun start() {
			application = runApplication<KotlinApplication>(RedisServer.shared().argument())
		}

		@AfterAll
		@JvmStatic
		fun stop() {
			application.close()
		}

	}

}
