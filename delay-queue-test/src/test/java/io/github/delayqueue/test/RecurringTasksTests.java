package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Recurring tasks, also those that listeners have of their own, by a clock that is
 * turned.
 */
@DelayQueueTest(classes = RecurringTasksTests.Listeners.class,
		properties = "delay-queue.test.start-at=2026-03-27T12:00:00Z")
class RecurringTasksTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private Listeners listeners;

	@BeforeEach
	void begin() {
		this.listeners.digests.clear();
		this.listeners.failing = false;
	}

	@RepeatedTest(2)
	void taskOfAListenersOwnIsThereAnewInEachTest() {
		assertThat(this.tester.queue("digest")).hasScheduledCount(1)
			.hasScheduled("digest")
			.dueAt(Instant.parse("2026-03-28T08:00:00Z"));
		this.clock.advance(Duration.ofDays(3));
		// the clocks of Paris go forward in the night to the 29th
		assertThat(this.listeners.digests).containsExactly(Instant.parse("2026-03-28T08:00:00Z"),
				Instant.parse("2026-03-29T07:00:00Z"), Instant.parse("2026-03-30T07:00:00Z"));
		assertThat(this.tester.queue("digest")).hasScheduledCount(1)
			.hasScheduled("digest")
			.dueAt(Instant.parse("2026-03-31T07:00:00Z"));
	}

	@Test
	void taskThatRecursRunsUntilItIsCancelled() {
		Instant start = this.clock.instant();
		this.delayQueue
			.schedule(TaskRequest.queue("ticks").id("tick").payload("x").every(Duration.ofMinutes(10)).build());
		assertThat(this.clock.advance(Duration.ofHours(1))).hasSize(6)
			.extracting(EndedDelivery::at)
			.startsWith(start.plus(Duration.ofMinutes(10)), start.plus(Duration.ofMinutes(20)));
		assertThat(this.delayQueue.cancel("ticks", "tick")).isTrue();
		assertThat(this.clock.advance(Duration.ofHours(10))).isEmpty();
	}

	@Test
	void taskOfAListenersOwnBeginsAtTheDateThatIsSet() {
		this.clock.setTo(Instant.parse("2027-03-27T12:00:00Z"));
		this.clock.advance(Duration.ofDays(3));
		assertThat(this.listeners.digests).containsExactly(Instant.parse("2027-03-28T07:00:00Z"),
				Instant.parse("2027-03-29T07:00:00Z"), Instant.parse("2027-03-30T07:00:00Z"));
	}

	@Test
	void taskOfAListenersOwnBeginsAtAnEarlierDateToo() {
		this.clock.setTo(Instant.parse("2025-01-01T07:59:59Z"));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.listeners.digests).containsExactly(Instant.parse("2025-01-01T08:00:00Z"));
	}

	@Test
	void taskOfAListenersOwnThatHasRunMissesWhatIsSkipped() {
		this.clock.advance(Duration.ofDays(1));
		this.clock.setTo(Instant.parse("2026-04-05T12:00:00Z"));
		this.clock.runDue();
		assertThat(this.listeners.digests).containsExactly(Instant.parse("2026-03-28T08:00:00Z"),
				Instant.parse("2026-04-05T12:00:00Z"));
	}

	@Test
	void taskOfAListenersOwnThatWasCancelledStaysSo() {
		this.delayQueue.cancel("digest", "digest");
		this.clock.setTo(Instant.parse("2027-03-27T12:00:00Z"));
		assertThat(this.clock.advance(Duration.ofDays(3))).isEmpty();
	}

	static class Listeners {

		private final DelayQueueTestClock clock;

		private final List<Instant> digests = new ArrayList<>();

		private boolean failing;

		Listeners(DelayQueueTestClock clock) {
			this.clock = clock;
		}

		@DelayQueueListener(queue = "digest", id = "digest", cron = "0 0 9 * * *", zone = "Europe/Paris",
				maxAttempts = "1")
		void digest() {
			if (this.failing) {
				throw new IllegalStateException("for a test");
			}
			this.digests.add(this.clock.instant());
		}

		@DelayQueueListener(queue = "ticks")
		void tick(String payload) {
		}

	}

}
