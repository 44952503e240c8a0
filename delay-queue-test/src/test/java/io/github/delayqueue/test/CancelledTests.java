package io.github.delayqueue.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers hear that their tasks are cancelled, though the clock of the test stands still
 * while they run.
 */
@DelayQueueTest(classes = CancelledTests.Exports.class)
class CancelledTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private Exports exports;

	@Test
	void handlerThatLooksIsTold() {
		this.delayQueue.schedule("looks", "task-1", "x", Duration.ofMinutes(1));
		assertThat(this.clock.advance(Duration.ofMinutes(1))).extracting(EndedDelivery::outcome)
			.containsExactly(DeliveryOutcome.STALE);
	}

	@Test
	void handlerThatWaitsIsInterruptedAndTheNextOneIsNot() {
		this.delayQueue.schedule("waits", "task-1", "x", Duration.ofMinutes(1));
		this.delayQueue.schedule("goes-on", "task-2", "x", Duration.ofMinutes(2));
		List<EndedDelivery> ended = this.clock.advance(Duration.ofMinutes(2));
		assertThat(ended).extracting(EndedDelivery::outcome)
			.containsExactly(DeliveryOutcome.STALE, DeliveryOutcome.SUCCESS);
		assertThat(ended.get(0).cause()).isInstanceOf(InterruptedException.class);
		assertThat(this.exports.interrupted).isFalse();
	}

	static class Exports {

		private final DelayQueueOperations delayQueue;

		private boolean interrupted;

		Exports(DelayQueueOperations delayQueue) {
			this.delayQueue = delayQueue;
		}

		@DelayQueueListener("looks")
		void look(String payload, TaskContext context) {
			this.delayQueue.cancel("looks", "task-1");
			await().until(context::isCancelled);
		}

		@DelayQueueListener(queue = "waits", interruptOnCancel = "true")
		void block(String payload) throws InterruptedException {
			this.delayQueue.cancel("waits", "task-1");
			new CountDownLatch(1).await();
		}

		@DelayQueueListener("goes-on")
		void goOn(String payload) {
			this.interrupted = Thread.currentThread().isInterrupted();
		}

	}

}
