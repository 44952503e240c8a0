package io.github.delayqueue.test;

import java.time.Clock;
import java.time.Duration;

import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one test method leaves behind the next one does not find, in the same context.
 */
@DelayQueueTest(classes = IsolationTests.Application.class,
		properties = { "delay-queue.test.start-at=2026-01-01T00:00:00Z", "delay-queue.queues.spread.partitions=4",
				"delay-queue.queues.limited.rate-limit=1/m" })
@TestMethodOrder(OrderAnnotation.class)
class IsolationTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private Clock injected;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private DelayQueueListenerContainerRegistry registry;

	@Autowired
	private TaskStore store;

	@Test
	@Order(1)
	void whatTheApplicationScheduledWhenItStartedIsGone() {
		assertThat(this.tester.queue("start")).isEmpty();
	}

	@RepeatedTest(2)
	@Order(2)
	void everythingIsAsItWasAtTheStart() {
		assertThat(this.clock.instant()).isEqualTo("2026-01-01T00:00:00Z");
		assertThat(this.tester.deliveries()).isEmpty();
		for (String queue : new String[] { "left", "spread", "limited", "start" }) {
			assertThat(this.tester.queue(queue)).isEmpty();
			assertThat(this.delayQueue.stats(queue).paused()).isFalse();
			assertThat(this.delayQueue.stats(queue).totals().scheduled()).isZero();
		}
		assertThat(this.registry.getContainers()).hasSize(3)
			.allSatisfy((container) -> assertThat(container.isRunning()).isEqualTo(!container.getId().equals("off")));
		spread();
		limited();
		leaveMuchBehind();
	}

	private void spread() {
		for (int i = 0; i < 20; i++) {
			this.delayQueue.schedule("spread", "task-" + i, i, Duration.ofMinutes(20 - i));
		}
		assertThat(this.delayQueue.stats("spread").waiting()).isEqualTo(20);
		this.clock.advance(Duration.ofMinutes(10));
		assertThat(this.tester.queue("spread")).hasHandledExactly("task-19", "task-18", "task-17", "task-16", "task-15",
				"task-14", "task-13", "task-12", "task-11", "task-10");
	}

	/** Permits come in by the clock of the test. */
	private void limited() {
		for (int i = 0; i < 3; i++) {
			this.delayQueue.schedule("limited", "task-" + i, i, Duration.ZERO);
		}
		this.clock.advance(Duration.ofSeconds(50));
		assertThat(this.tester.queue("limited")).hasHandledExactly("task-0");
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.tester.queue("limited")).hasHandledExactly("task-0", "task-1");
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.tester.queue("limited")).hasHandledExactly("task-0", "task-1", "task-2");
	}

	private void leaveMuchBehind() {
		this.delayQueue.schedule("left", "task-1", "payload", Duration.ofMinutes(1));
		this.delayQueue.pause("left");
		this.delayQueue.pause("spread");
		this.registry.get("spread").stop();
		this.registry.get("off").start();
		this.registry.register("left", String.class, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
		this.clock.advance(Duration.ofDays(1));
	}

	/** Known for the actuator endpoint and the page. */
	@RepeatedTest(2)
	@Order(3)
	void queueWithoutAListenerIsKnownWhenItIsUsed() {
		assertThat(QueueView.of(this.store).queues()).doesNotContain("nobodys");
		this.delayQueue.schedule("nobodys", "task-1", "payload", Duration.ofMinutes(1));
		assertThat(QueueView.of(this.store).queues()).contains("nobodys");
	}

	@Test
	@Order(3)
	void clockThatIsInjectedIsThatOfTheTest() {
		assertThat(this.injected).isSameAs(this.clock);
		this.clock.advance(Duration.ofHours(1));
		assertThat(this.injected.instant()).isEqualTo("2026-01-01T01:00:00Z");
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		Clock applicationClock() {
			return Clock.systemUTC();
		}

		@Bean
		ApplicationRunner scheduler(DelayQueueOperations delayQueue) {
			return (args) -> delayQueue.schedule("start", "task-1", "payload", Duration.ofMinutes(1));
		}

		@Bean
		Listeners listeners() {
			return new Listeners();
		}

	}

	static class Listeners {

		@DelayQueueListener(queue = "spread", id = "spread")
		void spread(int payload) {
		}

		@DelayQueueListener(queue = "limited", id = "limited")
		void limited(int payload) {
		}

		@DelayQueueListener(queue = "off", id = "off", autoStartup = "false")
		void off(int payload) {
		}

	}

}
