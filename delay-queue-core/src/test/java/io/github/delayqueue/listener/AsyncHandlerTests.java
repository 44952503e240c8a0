package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that answer later.
 */
@Execution(ExecutionMode.CONCURRENT)
class AsyncHandlerTests {

	private static final String QUEUE = "orders";

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final RecordingEvents events = new RecordingEvents();

	private final ListenerFixture instance = new ListenerFixture(this.store, this.events);

	/** By task id, what its handler has promised. */
	private final Map<String, CompletableFuture<List<TaskResult>>> promises = new ConcurrentHashMap<>();

	@AfterEach
	void close() {
		this.promises.values().forEach((promise) -> promise.complete(List.of(TaskResult.done())));
		this.instance.close();
	}

	@Test
	void settlesATaskWhenItsHandlerAnswersAndNotBefore() {
		register(ListenerOptions.builder());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		CompletableFuture<List<TaskResult>> promise = promise("task");
		await().during(Duration.ofMillis(300)).until(() -> this.store.stats(QUEUE).inFlight() == 1);
		promise.complete(List.of(TaskResult.done()));
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
	}

	@Test
	void keepsItsPlaceInTheConcurrencyUntilItAnswers() {
		register(ListenerOptions.builder().concurrency(2));
		for (int i = 0; i < 4; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
		await().until(() -> this.promises.size() == 2);
		await().during(Duration.ofMillis(300)).until(() -> this.promises.size() == 2);
		assertThat(this.instance.registry().get(QUEUE).status().active()).isEqualTo(2);
		this.promises.values().iterator().next().complete(List.of(TaskResult.done()));
		await().until(() -> this.promises.size() == 3);
		await().during(Duration.ofMillis(300)).until(() -> this.promises.size() == 3);
		this.promises.values().forEach((promise) -> promise.complete(List.of(TaskResult.done())));
		await().until(() -> this.promises.size() == 4);
	}

	@Test
	void failsWithTheCauseThatAStageIsCompletedWith() {
		register(ListenerFixture.attempts(1));
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		promise("task").completeExceptionally(new CompletionException(new IllegalStateException("broken")));
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.DEAD));
		assertThat(this.instance.failureOf(QUEUE, "task").type()).isEqualTo(IllegalStateException.class.getName());
	}

	@Test
	void isWaitedForByStop() throws InterruptedException {
		DelayQueueListenerContainer container = register(ListenerOptions.builder());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		CompletableFuture<List<TaskResult>> promise = promise("task");
		Thread stopping = new Thread(container::stop, "stopping");
		stopping.start();
		await().until(() -> !container.isRunning());
		await().during(Duration.ofMillis(300)).until(stopping::isAlive);
		promise.complete(List.of(TaskResult.done()));
		stopping.join(Patience.LIMIT.toMillis());
		assertThat(stopping.isAlive()).isFalse();
		assertThat(this.store.stats(QUEUE).totals().completed()).isEqualTo(1);
	}

	private DelayQueueListenerContainer register(ListenerOptions.Builder options) {
		return this.instance.register(QUEUE, options.build(), (deliveries) -> this.promises
			.computeIfAbsent(deliveries.get(0).task().id(), (id) -> new CompletableFuture<>()));
	}

	private CompletableFuture<List<TaskResult>> promise(String taskId) {
		await().until(() -> this.promises.containsKey(taskId));
		return this.promises.get(taskId);
	}

}
