package io.github.delayqueue.test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A test whose thread is interrupted once, as JUnit's {@code @Timeout} does, ends,
 * although its handlers are retried.
 */
@DelayQueueTest(classes = InterruptedTests.Stuck.class)
class InterruptedTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private Stuck stuck;

	@BeforeEach
	void begin() {
		this.stuck.calls = 0;
	}

	@AfterEach
	void forget() {
		Thread.interrupted();
	}

	@Test
	void handlerThatIsInterruptedIsTheLastOne() {
		this.delayQueue.schedule("stuck", "task-1", "x", Duration.ofMinutes(1));
		assertThatIllegalStateException().isThrownBy(() -> this.clock.advance(Duration.ofHours(1)))
			.withMessageContaining("interrupted")
			.withMessageContaining("stuck/task-1, attempt 1");
		assertThat(this.stuck.calls).isOne();
		assertThat(Thread.interrupted()).isTrue();
	}

	static class Stuck {

		private int calls;

		@DelayQueueListener(queue = "stuck", retryDelay = "1s")
		void block(String payload) throws InterruptedException {
			if (++this.calls > 1) {
				throw new IllegalStateException("A test that nobody interrupts again would hang here");
			}
			Thread.currentThread().interrupt();
			new CountDownLatch(1).await();
		}

	}

}
