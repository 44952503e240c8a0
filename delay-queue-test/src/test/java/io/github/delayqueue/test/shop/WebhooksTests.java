package io.github.delayqueue.test.shop;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.test.DelayQueueTest;
import io.github.delayqueue.test.DelayQueueTestClock;
import io.github.delayqueue.test.DelayQueueTester;

import static org.assertj.core.api.Assertions.assertThat;

@DelayQueueTest(classes = Webhooks.class)
class WebhooksTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private Webhooks webhooks;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@BeforeEach
	void accept() {
		this.webhooks.refuse(0);
	}

	@Test
	void webhookIsCalledAgainAlongTheLadder() {
		this.webhooks.refuse(2);
		Instant start = this.clock.instant();
		this.delayQueue.schedule("webhook", "call_1", "https://example.org/paid", Duration.ZERO);
		this.clock.runDue();
		assertThat(this.tester.queue("webhook")).hasScheduled("call_1").afterFailures(1).dueIn(Duration.ofMinutes(2));
		this.clock.advance(Duration.ofHours(2));
		assertThat(this.tester.queue("webhook")).hasHandled("call_1")
			.afterAttempts(3)
			.at(start.plus(Duration.ofMinutes(12)));
		assertThat(this.tester.failures()).hasSize(2)
			.allSatisfy((failure) -> assertThat(failure.cause()).hasMessage("503"));
	}

	@Test
	void webhookThatNobodyAcceptsIsDead() {
		this.webhooks.refuse(4);
		this.delayQueue.schedule("webhook", "call_1", "https://example.org/paid", Duration.ZERO);
		this.clock.advance(Duration.ofDays(1));
		assertThat(this.tester.queue("webhook")).hasDead("call_1")
			.withReason(DeadReason.ATTEMPTS_EXHAUSTED)
			.withMessageContaining("503")
			.afterAttempts(4);
		this.delayQueue.redrive("webhook", "call_1");
		this.clock.runDue();
		assertThat(this.tester.queue("webhook")).hasHandled("call_1").and().isEmpty();
	}

}
