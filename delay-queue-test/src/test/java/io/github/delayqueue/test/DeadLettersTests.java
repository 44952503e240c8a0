package io.github.delayqueue.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.messaging.handler.annotation.Header;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.annotation.DeadLetterListener;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Dead letters are moved and handled by the steps of a test.
 */
@DelayQueueTest(classes = DeadLettersTests.Listeners.class)
class DeadLettersTests {

	private static final String LETTERS = "parcels:dead-letters";

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
		this.listeners.letters.clear();
		this.listeners.failures = 0;
	}

	@RepeatedTest(2)
	void deadTaskIsHandledInTheSameTurnOfTheClock() {
		this.delayQueue.schedule("parcels", "p-1", new Parcel("Rome"), Duration.ofMinutes(1));
		assertThat(this.clock.advance(Duration.ofMinutes(1))).extracting(EndedDelivery::queue, EndedDelivery::outcome)
			.containsExactly(tuple("parcels", DeliveryOutcome.DEAD), tuple(LETTERS, DeliveryOutcome.SUCCESS));
		assertThat(this.listeners.letters).containsExactly("p-1 Rome NOT_RETRYABLE");
		assertThat(this.tester.queue("parcels")).isEmpty();
		assertThat(this.tester.queue(LETTERS)).isEmpty();
	}

	@Test
	void taskThatIsGivenUpByHandIsMovedWithTheNextStep() {
		this.delayQueue.schedule("polled", "p-1", new Parcel("Oslo"), Duration.ZERO);
		ClaimedTask task = this.delayQueue.poll("polled", 1, Duration.ofMinutes(1)).get(0);
		assertThat(task.deadLetter("by hand")).isTrue();
		this.clock.advance(Duration.ZERO);
		assertThat(this.listeners.letters).containsExactly("p-1 Oslo DEAD_LETTERED");
	}

	record Parcel(String to) {

	}

	static class Listeners {

		final List<String> letters = new ArrayList<>();

		int failures;

		@DelayQueueListener(queue = { "parcels", "letters" }, noRetryFor = IllegalStateException.class)
		void deliver(Parcel parcel) {
			throw new IllegalStateException("nobody is at home");
		}

		@DeadLetterListener(queue = { "parcels", "polled" }, retryDelay = "1m")
		void giveUp(Parcel parcel, TaskFailure failure, @Header(DeadLetterListener.TASK_ID) String id) {
			this.letters.add(id + " " + parcel.to() + " " + failure.reason());
			if (this.failures-- > 0) {
				throw new IllegalArgumentException("no paper");
			}
		}

	}

}
