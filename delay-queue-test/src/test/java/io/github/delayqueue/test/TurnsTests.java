package io.github.delayqueue.test;

import java.time.Duration;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What is scheduled before the first test method, and would be gone in it, is refused.
 * What the application schedules when it starts is not.
 */
@DelayQueueTest(properties = "delay-queue.test.start-at=2026-01-01T00:00:00Z")
class TurnsTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTester tester;

	@BeforeAll
	static void nothingCanBeScheduled(@Autowired DelayQueueOperations delayQueue) {
		refuses(TurnsTests.class, delayQueue);
	}

	private static void refuses(Class<?> testClass, DelayQueueOperations delayQueue) {
		assertThatIllegalStateException()
			.isThrownBy(() -> delayQueue.schedule("orders", "early", "book", Duration.ofMinutes(1)))
			.withMessage("Task 'early' of queue 'orders' is scheduled outside of the test methods of "
					+ testClass.getName()
					+ ", as in @BeforeAll, and would be gone when the next of them begins: schedule it in @BeforeEach");
		assertThat(delayQueue.find("orders", "early")).isEmpty();
	}

	@BeforeEach
	void schedule() {
		this.delayQueue.schedule("orders", "late", "book", Duration.ofMinutes(1));
	}

	@Test
	void whatIsScheduledBeforeEachTestIsThere() {
		assertThat(this.tester.queue("orders")).hasScheduled("late").dueIn(Duration.ofMinutes(1));
	}

	@Nested
	class InnerTests {

		@BeforeAll
		static void nothingCanBeScheduled(@Autowired DelayQueueOperations delayQueue) {
			refuses(InnerTests.class, delayQueue);
		}

		@Test
		void whatIsScheduledBeforeEachTestIsThere() {
			assertThat(TurnsTests.this.tester.queue("orders")).hasScheduled("late").dueIn(Duration.ofMinutes(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		ApplicationRunner runner(DelayQueueOperations delayQueue) {
			return (args) -> delayQueue.schedule("orders", "start", "book", Duration.ofMinutes(1));
		}

	}

}
