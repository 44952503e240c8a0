package io.github.delayqueue.ecosystem.kotlin

import io.github.delayqueue.DeadReason
import io.github.delayqueue.DelayedTask
import io.github.delayqueue.annotation.DelayQueueListener
import io.github.delayqueue.listener.TaskContext
import io.github.delayqueue.listener.TaskResult
import io.github.delayqueue.producer.DelayQueueOperations
import io.github.delayqueue.test.DelayQueueAssert
import io.github.delayqueue.test.DelayQueueTest
import io.github.delayqueue.test.DelayQueueTestClock
import io.github.delayqueue.test.DelayQueueTester
import io.github.delayqueue.testsupport.Heavy
import kotlinx.coroutines.delay
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.ListAssert
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import tools.jackson.databind.json.JsonMapper
import java.time.Duration
import java.util.Optional
import java.util.concurrent.CompletableFuture

/**
 * Signatures of listeners that only Kotlin has, and a mapper that knows nothing of Kotlin.
 */
@Heavy
@DelayQueueTest(classes = [KotlinListenerTests.Application::class, KotlinListenerTests.Listeners::class])
class KotlinListenerTests {

	@Autowired
	private lateinit var delayQueue: DelayQueueOperations

	@Autowired
	private lateinit var clock: DelayQueueTestClock

	@Autowired
	private lateinit var tester: DelayQueueTester

	@Autowired
	private lateinit var listeners: Listeners

	@BeforeEach
	fun forget() {
		listeners.handled.clear()
	}

	@Test
	fun `data class is read and handled`() {
		handle("order", mapOf("number" to "a", "items" to emptyList<Any>(), "note" to null))
		handle("task", mapOf("number" to "b", "items" to listOf(mapOf("name" to "pen")), "note" to "c"))
		queue("order").hasHandled("task-1").and().isEmpty()
		queue("task").hasHandled("task-1").and().isEmpty()
		handled().containsExactly(
			KotlinOrder("a", emptyList(), null),
			KotlinOrder("b", listOf(KotlinItem("pen")), "c")
		)
	}

	@Test
	fun `nullable type takes null and other types do not`() {
		handle("nullable", Optional.empty<Any>())
		handle("order", Optional.empty<Any>())
		queue("nullable").hasHandled("task-1").and().isEmpty()
		queue("order").hasDead("task-1")
			.withReason(DeadReason.DEAD_LETTERED)
			.withMessageContaining("Payload is null")
		handled().hasSize(1).containsOnlyNulls()
	}

	@Test
	fun `suspend function is called with its payload and waited for`() {
		handle("suspend", KotlinOrder("a"))
		handle("suspend", Optional.empty<Any>())
		queue("suspend").hasHandled("task-1")
		queue("suspend").hasDead("task-1").withMessageContaining("Payload is null")
		handled().containsExactly(KotlinOrder("a"))
	}

	@Test
	fun `results are mapped`() {
		handle("result", KotlinOrder("a"))
		handle("unit", KotlinOrder("a"))
		queue("result").hasDead("task-1")
			.withReason(DeadReason.DEAD_LETTERED)
			.withMessageContaining("of a")
		queue("unit").hasHandled("task-1").and().isEmpty()
	}

	@Test
	fun `list of open class is a batch`() {
		delayQueue.schedule("batch", "task-1", KotlinItem("a"), Duration.ZERO)
		delayQueue.schedule("batch", "task-2", KotlinItem("b"), Duration.ZERO)
		clock.runDue()
		handled().containsExactly(listOf(KotlinItem("a"), KotlinItem("b")))
		queue("batch").hasDead("task-1").withMessageContaining("a")
			.and().hasDead("task-2").withMessageContaining("b")
	}

	@Test
	fun `lists of open class are read inside of a map`() {
		handle("map", mapOf("pens" to listOf(mapOf("name" to "red"), mapOf("name" to "blue"))))
		handled().containsExactly(mapOf("pens" to listOf(KotlinItem("red"), KotlinItem("blue"))))
	}

	// AssertJ has so many of it that the compiler takes seconds for each call

	private fun queue(name: String): DelayQueueAssert = assertThat(tester.queue(name))

	private fun handled(): ListAssert<Any?> = assertThat(listeners.handled)

	/** An empty Optional is null in JSON; null would be no payload. */
	private fun handle(queue: String, payload: Any) {
		delayQueue.schedule(queue, "task-1", payload, Duration.ZERO)
		clock.runDue()
	}

	@Configuration(proxyBeanMethods = false)
	class Application {

		@Bean
		fun jsonMapper(): JsonMapper = JsonMapper.builder().build()

	}

	class Listeners {

		val handled = mutableListOf<Any?>()

		@DelayQueueListener(queue = ["order"])
		fun order(order: KotlinOrder) {
			handled += order
		}

		@DelayQueueListener(queue = ["suspend"])
		suspend fun suspended(order: KotlinOrder) {
			delay(10)
			handled += order
		}

		@DelayQueueListener(queue = ["nullable"])
		fun nullable(order: KotlinOrder?) {
			handled += order
		}

		@DelayQueueListener(queue = ["task"])
		internal fun task(task: DelayedTask<KotlinOrder>, context: TaskContext): Boolean {
			handled += task.payload()
			return !context.isLeaseLost
		}

		@DelayQueueListener(queue = ["result"])
		fun result(order: KotlinOrder): TaskResult = TaskResult.deadLetter("of ${order.number}")

		@DelayQueueListener(queue = ["unit"])
		fun unit(order: KotlinOrder): CompletableFuture<Unit> = CompletableFuture.completedFuture(Unit)

		@DelayQueueListener(queue = ["batch"], batchSize = "10")
		fun batch(items: List<KotlinItem>): List<TaskResult> {
			handled.add(items)
			return items.map { TaskResult.deadLetter(it.name) }
		}

		@DelayQueueListener(queue = ["map"])
		fun map(payload: Map<String, List<KotlinItem>>) {
			handled += payload
		}

	}

}

data class KotlinOrder(val number: String, val items: List<KotlinItem> = emptyList(), val note: String? = null)

open class KotlinItem(val name: String) {

	override fun equals(other: Any?) = other is KotlinItem && other.name == name

	override fun hashCode() = name.hashCode()

}
