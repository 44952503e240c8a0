package io.github.delayqueue.test;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.NonRetryable;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Each assertion fails where it has to, and says what is there.
 */
@DelayQueueTest(classes = AssertionsTests.Listener.class, properties = "delay-queue.test.start-at=2026-01-01T00:00:00Z")
class AssertionsTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private DelayQueueListenerContainerRegistry registry;

	private TestQueue queue;

	@BeforeEach
	void begin() {
		this.queue = this.tester.queue("orders");
		this.delayQueue.schedule("orders", "good", new Order("book", List.of(1, 2)), MINUTE);
		this.delayQueue.schedule("orders", "bad", new Order("bad", List.of()), MINUTE);
		this.clock.advance(MINUTE);
		this.delayQueue.schedule(TaskRequest.queue("orders")
			.id("next")
			.payload(new Order("pen", List.of(3)))
			.delay(Duration.ofHours(1))
			.priority(TaskPriority.HIGH)
			.header("source", "web")
			.build());
	}

	@Test
	void whatIsTrueHolds() {
		assertThat(this.queue).hasScheduled("next")
			.dueIn(Duration.ofHours(1))
			.dueIn(Duration.ofMinutes(61), MINUTE)
			.dueAt(Instant.parse("2026-01-01T01:01:00Z"))
			.withPayload(Map.of("numbers", List.of(3), "item", "pen"))
			.withPriority(TaskPriority.HIGH)
			.withHeader("source", "web")
			.afterFailures(0)
			.and()
			.hasScheduledCount(1)
			.hasNoScheduled("good")
			.hasHandled("good")
			.afterAttempts(1)
			.at(Instant.parse("2026-01-01T00:01:00Z"))
			.withPayload(new Order("book", List.of(1, 2)))
			.and()
			.hasNotHandled("bad")
			.hasHandledExactly("good")
			.hasDead("bad")
			.withReason(DeadReason.NOT_RETRYABLE)
			.withMessageContaining("never")
			.withCause(Refused.class)
			.afterAttempts(1)
			.withPayload(new Order("bad", List.of()));
		assertThat(this.tester.queue("other")).isEmpty()
			.hasNoScheduled()
			.hasNoDead()
			.hasNoFailures()
			.hasHandledExactly();
	}

	@Test
	void whatIsNotTrueFails() {
		fails(() -> assertThat(this.queue).hasScheduled("good"))
			.withMessageContaining("Expected queue 'orders' to have task 'good' scheduled.");
		fails(() -> assertThat(this.queue).hasInFlight("good"));
		fails(() -> assertThat(this.queue).hasDead("good"));
		fails(() -> assertThat(this.queue).hasHandled("bad"));
		fails(() -> assertThat(this.queue).hasNotHandled("good"));
		fails(() -> assertThat(this.queue).hasHandledExactly("good", "bad"));
		fails(() -> assertThat(this.queue).hasHandledExactly());
		fails(() -> assertThat(this.queue).hasNoScheduled());
		fails(() -> assertThat(this.queue).hasNoScheduled("next"));
		fails(() -> assertThat(this.queue).hasScheduledCount(2));
		fails(() -> assertThat(this.queue).hasNoDead());
		fails(() -> assertThat(this.queue).isEmpty());
		fails(() -> assertThat(this.queue).hasNoFailures()).withCauseInstanceOf(Refused.class);
		fails(() -> this.tester.assertNoFailures()).withCauseInstanceOf(Refused.class);
	}

	@Test
	void whatIsNotTrueOfATaskFails() {
		fails(() -> assertThat(this.queue).hasScheduled("next").dueIn(Duration.ofSeconds(Long.MIN_VALUE)))
			.withMessageContaining("but it is due in");
		fails(() -> assertThat(this.queue).hasScheduled("next").dueIn(Duration.ofSeconds(Long.MAX_VALUE), MINUTE))
			.withMessageContaining("but it is due in");
		fails(() -> assertThat(this.queue).hasScheduled("next").dueIn(MINUTE))
			.withMessageContaining("due in 1m, but it is due in 1h");
		fails(() -> assertThat(this.queue).hasScheduled("next").dueIn(MINUTE, MINUTE));
		fails(() -> assertThat(this.queue).hasScheduled("next").dueAt(Instant.EPOCH));
		fails(() -> assertThat(this.queue).hasScheduled("next").withPayload(new Order("pen", List.of(4))))
			.withMessageContaining("{\"item\":\"pen\",\"numbers\":[4]}");
		fails(() -> assertThat(this.queue).hasScheduled("next").withPayload(null));
		fails(() -> assertThat(this.queue).hasScheduled("next").withPriority(TaskPriority.LOW));
		fails(() -> assertThat(this.queue).hasScheduled("next").withHeader("source", "app"));
		fails(() -> assertThat(this.queue).hasScheduled("next").afterFailures(1));
		fails(() -> assertThat(this.queue).hasHandled("good").afterAttempts(2));
		fails(() -> assertThat(this.queue).hasHandled("good").at(Instant.EPOCH));
		fails(() -> assertThat(this.queue).hasHandled("good").withPayload("book"));
		fails(() -> assertThat(this.queue).hasDead("bad").withReason(DeadReason.DEAD_LETTERED));
		fails(() -> assertThat(this.queue).hasDead("bad").withMessageContaining("always"));
		fails(() -> assertThat(this.queue).hasDead("bad").withCause(IllegalStateException.class));
		fails(() -> assertThat(this.queue).hasDead("bad").afterAttempts(2));
	}

	@Test
	void payloadsAreComparedAsJson() {
		this.delayQueue.schedule("other", "a", Map.of("price", List.of(new BigDecimal("2.50"))), MINUTE);
		assertThat(this.tester.queue("other")).hasScheduled("a")
			.withPayload(Map.of("price", List.of(new BigDecimal("2.5"))));
		fails(() -> assertThat(this.tester.queue("other")).hasScheduled("a").withPayload(Map.of("price", List.of(2))));
		this.delayQueue.schedule(TaskRequest.queue("other")
			.id("b")
			.payload(List.of(new Circle(1)), new ParameterizedTypeReference<List<Shape>>() {
			})
			.delay(MINUTE)
			.build());
		fails(() -> assertThat(this.tester.queue("other")).hasScheduled("b").withPayload(List.of(new Circle(1))))
			.withMessageContaining("with payload [{\"radius\":1}], but it is [{\"kind\":\"circle\",\"radius\":1}]");
	}

	@Test
	void clockDoesNotPassTheEndOfTime() {
		for (long seconds : new long[] { Long.MIN_VALUE, Long.MAX_VALUE }) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Duration.ofSeconds(seconds)))
				.withMessageContaining("Time ");
		}
	}

	private static ThrowableAssertAlternative<AssertionError> fails(ThrowingCallable assertion) {
		return assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion);
	}

	@Test
	void failureSaysWhatIsInTheQueue() {
		fails(() -> assertThat(this.queue).isEmpty()).withMessage("""

				Expected queue 'orders' to be empty.
				It is 2026-01-01T00:01:00Z, and the queue has
				  scheduled:\s
				    next, due in 1h, HIGH, payload {"item":"pen","numbers":[3]}
				  in flight: nothing
				  dead:\s
				    bad (NOT_RETRYABLE, %s: never), payload {"item":"bad","numbers":[]}
				  delivered:\s
				    bad, attempt 1 at 2026-01-01T00:01:00Z: DEAD (NOT_RETRYABLE, %s: never)
				    good, attempt 1 at 2026-01-01T00:01:00Z: SUCCESS""", Refused.class.getName(),
				Refused.class.getName());
	}

	@Test
	void failureNamesAQueueThatNobodyConsumes() {
		this.delayQueue.schedule("order", "a", "book", Duration.ZERO);
		this.clock.runDue();
		fails(() -> assertThat(this.tester.queue("order")).hasHandled("a"))
			.withMessageEndingWith("\nNobody consumes it: this context has no listener for it, only for 'orders'");
		this.registry.get("orders").stop();
		fails(() -> assertThat(this.queue).isEmpty())
			.withMessageEndingWith("\nNobody consumes it: of its listeners none runs, which are 'orders'");
	}

	@Test
	void failureSaysThatNothingHasTurnedTheClock() {
		this.delayQueue.schedule("orders", "a", new Order("pen", List.of()), Duration.ZERO);
		fails(() -> assertThat(this.queue).hasHandled("a")).withMessageContaining(
				"a, due in 0s (it runs when the clock is turned: clock.runDue() or clock.advance(…)), payload");
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
	interface Shape {

	}

	record Circle(int radius) implements Shape {

	}

	record Order(String item, List<Integer> numbers) {

	}

	static class Refused extends RuntimeException implements NonRetryable {

		private static final long serialVersionUID = 1L;

		Refused() {
			super("never");
		}

	}

	static class Listener {

		@DelayQueueListener(queue = "orders", id = "orders")
		void handle(Order order) {
			if (order.item().equals("bad")) {
				throw new Refused();
			}
		}

	}

}
