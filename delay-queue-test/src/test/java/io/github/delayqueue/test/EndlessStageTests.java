package io.github.delayqueue.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A listener whose {@link CompletionStage} nobody completes.
 */
@DelayQueueTest(classes = EndlessStageTests.Listener.class, properties = "delay-queue.test.async-timeout=1s")
class EndlessStageTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private Listener listener;

	@Test
	void stageThatNobodyCompletesIsSaidToBeTheReason() {
		this.listener.stage = new CompletableFuture<>();
		this.delayQueue.schedule("async", "task-1", "x", MINUTE);
		assertThatIllegalStateException().isThrownBy(() -> this.clock.advance(MINUTE))
			.withMessageContaining("within 1s: ")
			.withMessageContaining("task-1")
			.withMessageContaining("CompletionStage");
		assertThat(this.tester.queue("async")).hasInFlight("task-1");
		this.tester.reset();
		this.listener.stage = CompletableFuture.completedFuture(null);
		this.delayQueue.schedule("async", "task-2", "x", MINUTE);
		assertThat(this.clock.advance(MINUTE)).singleElement()
			.satisfies((delivery) -> assertThat(delivery.taskId()).isEqualTo("task-2"));
	}

	static class Listener {

		private CompletionStage<Void> stage = CompletableFuture.completedFuture(null);

		@DelayQueueListener(queue = "async", concurrency = "1")
		CompletionStage<Void> async(String id) {
			return this.stage;
		}

	}

}
