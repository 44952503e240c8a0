package io.github.delayqueue.ecosystem.kotlin

import io.github.delayqueue.DelayedTask
import io.github.delayqueue.annotation.DelayQueueListener
import io.github.delayqueue.listener.TaskResult
import io.github.delayqueue.producer.DelayQueueOperations
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.future
import org.springframework.stereotype.Service
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList

data class Order(val number: String, val items: List<Item> = emptyList(), val note: String? = null)

data class Item(val name: String, val count: Int = 1)

@Service
class Orders(private val delayQueue: DelayQueueOperations) {

	private val later = delayQueue.queue("kotlin_suspend_unit", Order::class.java)

	private val scope = CoroutineScope(Dispatchers.Default)

	val closed = CopyOnWriteArrayList<Any>()

	fun place(queue: String, id: String, order: Any) {
		delayQueue.schedule(queue, id, order, Duration.ofMillis(50))
	}

	fun placeLater(order: Order) {
		later.schedule { it.id(order.number).payload(order) }
	}

	fun lastFailure(queue: String, id: String): String? =
		delayQueue.find(queue, id).orElse(null)?.lastFailure()?.message()

	@DelayQueueListener(queue = ["kotlin_order"])
	fun close(order: Order) {
		closed += order
	}

	@DelayQueueListener(queue = ["kotlin_suspend"])
	suspend fun closeSuspending(task: DelayedTask<Order>): TaskResult {
		delay(20)
		val order = task.payload()!!
		check(order.number != "broken") { "for a test" }
		closed += order.number
		return TaskResult.done()
	}

	@DelayQueueListener(queue = ["kotlin_suspend_unit"])
	suspend fun closeAndForget(order: Order) {
		delay(20)
		closed += order.number
	}

	/** Instead of a suspend function, with a scope of one's own. */
	@DelayQueueListener(queue = ["kotlin_coroutine"])
	fun closeLater(order: Order): CompletableFuture<TaskResult> = scope.future {
		delay(20)
		closed += order.number
		TaskResult.done()
	}

	@DelayQueueListener(queue = ["kotlin_batch"], batchSize = "10")
	fun closeAll(tasks: List<DelayedTask<Order>>) {
		closed.add(tasks.map { it.id() to it.payload()?.items })
	}

}
