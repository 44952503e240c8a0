package io.github.delayqueue.annotation

import io.github.delayqueue.DelayedTask
import io.github.delayqueue.listener.TaskContext
import io.github.delayqueue.listener.TaskResult
import java.util.concurrent.CompletableFuture

data class KotlinOrder(val number: String, val items: List<KotlinItem> = emptyList(), val note: String? = null)

open class KotlinItem(val name: String)

class KotlinListeners {

	val handled = mutableListOf<Any?>()

	@DelayQueueListener("order")
	fun order(order: KotlinOrder) {
		handled += order
	}

	@DelayQueueListener("nullable")
	fun nullable(order: KotlinOrder?) {
		handled += order
	}

	@DelayQueueListener("task")
	internal fun task(task: DelayedTask<KotlinOrder>, context: TaskContext): Boolean {
		handled += task.payload()
		return !context.isLeaseLost
	}

	@DelayQueueListener("result")
	fun result(order: KotlinOrder): TaskResult = TaskResult.bury("of ${order.number}")

	@DelayQueueListener("unit")
	fun unit(order: KotlinOrder): CompletableFuture<Unit> = CompletableFuture.completedFuture(Unit)

	@DelayQueueListener(queue = "batch", batchSize = "10")
	fun batch(items: List<KotlinItem>): List<TaskResult> = items.map { TaskResult.bury(it.name) }

	@DelayQueueListener("map")
	fun map(payload: Map<String, List<KotlinItem>>) {
		handled += payload
	}

}

class KotlinSuspendListener {

	@DelayQueueListener("order")
	suspend fun close(order: KotlinOrder) {
	}

}
