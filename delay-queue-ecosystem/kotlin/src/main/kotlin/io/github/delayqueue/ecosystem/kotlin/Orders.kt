package io.github.delayqueue.ecosystem.kotlin

import io.github.delayqueue.DelayedTask
import io.github.delayqueue.annotation.DelayQueueListener
import io.github.delayqueue.listener.TaskResult
import io.github.delayqueue.producer.DelayQueueOperations
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.future
import org.springframework.context.annotation.Profile
import org.springframework.stereotype.Component
import org.springframework.stereotype.Service
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList

data class Order(val number: String, val items: List<Item> = emptyList(), val note: String? = null)

data class Item(val name: String, val count: Int = 1)

@Service
class Orders(private val delayQueue: DelayQueueOperations) {

	private val scope = CoroutineScope(Dispatchers.Default)

	val closed = CopyOnWriteArrayList<Any>()

	fun place(queue: String, id: String, order: Any) {
		delayQueue.schedule(queue, id, order, Duration.ofMillis(50))
	}

	@DelayQueueListener(queue = "kotlin_order")
	fun close(order: Order) {
		closed += order
	}

	/** Instead of a suspend function. */
	@DelayQueueListener(queue = "kotlin_coroutine")
	fun closeLater(order: Order): CompletableFuture<TaskResult> = scope.future {
		delay(20)
		closed += order.number
		TaskResult.done()
	}

	@DelayQueueListener(queue = "kotlin_batch", batchSize = "10")
	fun closeAll(tasks: List<DelayedTask<Order>>) {
		closed.add(tasks.map { it.id() to it.payload()?.items })
	}

}

@Component
@Profile("suspend")
class SuspendListener {

	@DelayQueueListener(queue = "kotlin_suspend")
	suspend fun close(order: Order) {
		delay(order.items.size.toLong())
	}

}
