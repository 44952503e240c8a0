package io.github.delayqueue.test;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

import static io.github.delayqueue.groups.Group.group;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Groups of tasks take turns, and a full one is in nobody's way.
 */
@DelayQueueTest(classes = GroupedQueueTests.Listener.class,
		properties = { "delay-queue.queues.reminders.groups.enabled=true",
				"delay-queue.queues.reminders.groups.concurrency=1", "delay-queue.queues.calls.groups.enabled=true",
				"delay-queue.queues.calls.groups.rate-limit=1/m" })
class GroupedQueueTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Test
	void groupsTakeTurns() {
		for (int i = 0; i < 6; i++) {
			schedule("A" + i, "A");
		}
		schedule("B0", "B");
		schedule("B1", "B");
		assertThat(this.clock.runDue()).hasSize(8)
			.extracting(EndedDelivery::taskId)
			.startsWith("A0", "B0")
			.containsSubsequence("A0", "A1", "A2", "A3", "A4", "A5")
			.containsSubsequence("B0", "B1", "A5");
	}

	@Test
	void groupsKeepTheirRate() {
		for (String id : List.of("A0", "A1", "A2", "B0")) {
			schedule("calls", id, id.substring(0, 1));
		}
		assertThat(this.clock.runDue()).extracting(EndedDelivery::taskId).containsExactlyInAnyOrder("A0", "B0");
		assertThat(this.clock.advance(Duration.ofSeconds(59))).isEmpty();
		assertThat(this.clock.advance(Duration.ofSeconds(1))).extracting(EndedDelivery::taskId).containsExactly("A1");
		assertThat(this.clock.advance(Duration.ofMinutes(5))).extracting(EndedDelivery::taskId).containsExactly("A2");
	}

	private void schedule(String id, String name) {
		schedule("reminders", id, name);
	}

	private void schedule(String queue, String id, String name) {
		this.delayQueue
			.schedule(TaskRequest.queue(queue).id(id).payload(id).delay(Duration.ZERO).with(group(name)).build());
	}

	static class Listener {

		@DelayQueueListener(queue = "reminders", concurrency = "4")
		void remind(String reminder) {
		}

		@DelayQueueListener(queue = "calls", concurrency = "4")
		void call(String number) {
		}

	}

}
