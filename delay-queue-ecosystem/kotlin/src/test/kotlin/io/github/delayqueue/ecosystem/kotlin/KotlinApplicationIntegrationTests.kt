package io.github.delayqueue.ecosystem.kotlin

import io.github.delayqueue.testsupport.Heavy
import io.github.delayqueue.testsupport.RedisServer
import io.github.delayqueue.listener.InvalidListenerException
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowable
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.getBean
import org.springframework.boot.runApplication
import org.springframework.context.ConfigurableApplicationContext

/**
 * Data classes as payloads, coroutines as handlers, and what is refused.
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
	fun `suspend function is refused when the application starts`() {
		val failure = catchThrowable {
			runApplication<KotlinApplication>(RedisServer.shared().argument(), "--spring.profiles.active=suspend").close()
		}
		assertThat(failure).isInstanceOf(InvalidListenerException::class.java)
			.hasMessage(
				"@DelayQueueListener method ${SuspendListener::class.java.name}.close(Order, Continuation)"
					+ " is a Kotlin suspend function, which is not supported"
			)
		assertThat((failure as InvalidListenerException).action)
			.contains("Remove 'suspend'", "runBlocking", "CompletableFuture", "scope.future")
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
