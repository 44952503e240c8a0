package io.github.delayqueue.partition;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A container whose queue has another number of partitions.
 */
@Timeout(120)
class PartitionedListenerTests {

	private static final String QUEUE = "orders";

	@Test
	void claimsNothingWhereTheQueueHasAnotherNumberUntilItIsForgotten() {
		InMemoryTaskStore memory = new InMemoryTaskStore(Clock.systemUTC());
		Queue<String> handled = new ConcurrentLinkedQueue<>();
		PartitionedTaskStore four = new PartitionedTaskStore(memory, (queue) -> 4);
		PartitionedTaskStore two = new PartitionedTaskStore(memory, (queue) -> 2);
		List<NewTask> tasks = IntStream.range(0, 20).mapToObj((i) -> Tasks.task("task-" + i, Duration.ZERO)).toList();
		four.schedule(QUEUE, tasks);
		try (ListenerFixture instance = new ListenerFixture(two)) {
			instance.register(QUEUE, (task, context) -> {
				handled.add(task.id());
				return TaskResult.done();
			}, ListenerOptions.defaults());
			DelayQueueListenerContainer container = instance.registry().get(QUEUE);
			await().until(() -> container.status().lastError() != null);
			assertThat(container.status().lastError()).hasMessageContaining("is 4, and this instance is set to 2");
			assertThat(container.status().lastPollAt()).isNull();
			assertThat(handled).isEmpty();
			two.clear(QUEUE);
			assertThat(two.forget(QUEUE)).isTrue();
			two.schedule(QUEUE, tasks);
			await().until(() -> handled.size() == 20);
			assertThat(container.status().lastError()).isNull();
		}
	}

}
