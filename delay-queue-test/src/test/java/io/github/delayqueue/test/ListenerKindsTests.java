package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.TaskInterceptor;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Listeners of all kinds, driven by the clock.
 */
@DelayQueueTest(classes = ListenerKindsTests.Listeners.class, properties = "delay-queue.test.async-timeout=60s")
class ListenerKindsTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private Listeners listeners;

	@Value("${delay-queue.test.max-deliveries:10000}")
	private int maxDeliveries;

	@BeforeEach
	void begin() {
		this.listeners.calls.clear();
		this.listeners.around.clear();
		this.listeners.stage = CompletableFuture.completedFuture(null);
	}

	@Test
	void batchListenerGetsWhatIsDueTogether() {
		for (int i = 1; i <= 5; i++) {
			this.delayQueue.schedule("batch", "task-" + i, i, MINUTE);
		}
		this.clock.advance(MINUTE);
		assertThat(this.listeners.calls).containsExactly("batch [1, 2, 3]", "batch [4, 5]");
		assertThat(this.tester.queue("batch")).hasHandledExactly("task-1", "task-3", "task-5")
			.hasScheduled("task-2")
			.afterFailures(1);
	}

	@Test
	void interceptorStandsAroundHandlersAndItsFailureIsOneOfTheTask() {
		this.delayQueue.schedule("left", "task-1", "a", MINUTE);
		this.delayQueue.schedule("right", "unwelcome", "b", MINUTE);
		this.clock.advance(MINUTE);
		assertThat(this.listeners.around).containsExactly("left [a]", "right [b]");
		assertThat(this.listeners.calls).containsExactly("left a");
		assertThat(this.tester.queue("right")).hasScheduled("unwelcome").afterFailures(1);
		assertThat(this.tester.failures()).singleElement()
			.satisfies((delivery) -> assertThat(delivery.cause()).hasMessage("unwelcome"));
	}

	@Test
	void stageThatAnotherThreadCompletesIsWaitedFor() {
		this.listeners.stage = new CompletableFuture<Void>().completeOnTimeout(null, 50, TimeUnit.MILLISECONDS);
		this.delayQueue.schedule("async", "task-1", "x", MINUTE);
		this.clock.advance(MINUTE);
		assertThat(this.tester.queue("async")).hasHandled("task-1").and().isEmpty();
	}

	@Test
	void queuesTakeTurnsByDueTime() {
		this.delayQueue.schedule("first", "a", "1", MINUTE);
		this.delayQueue.schedule("second", "b", "2", MINUTE.multipliedBy(2));
		this.delayQueue.schedule("first", "c", "3", MINUTE.multipliedBy(3));
		this.delayQueue.schedule("second", "d", "0", Duration.ofSeconds(1));
		this.clock.advance(Duration.ofHours(1));
		assertThat(this.listeners.calls).containsExactly("second 0", "first 1", "second 2", "first 3");
	}

	@Test
	void whatHandlersScheduleRunsInTheSameTurnIfItIsDueThen() {
		Instant start = this.clock.instant();
		this.delayQueue.schedule("chain", "task-0", 0, MINUTE);
		assertThat(this.clock.advance(Duration.ofMinutes(10))).extracting(EndedDelivery::taskId)
			.containsExactly("task-0", "task-1", "task-2", "task-3");
		assertThat(this.tester.queue("chain")).hasHandled("task-3")
			.at(start.plus(Duration.ofMinutes(10)))
			.and()
			.hasScheduled("task-4")
			.dueIn(Duration.ofMinutes(3));
		assertThat(this.clock.instant()).isEqualTo(start.plus(Duration.ofMinutes(10)));
	}

	@Test
	void whatAHandlerCancelsDoesNotRun() {
		this.delayQueue.schedule("canceller", "task-1", "task-2", MINUTE);
		this.delayQueue.schedule("canceller", "task-2", "task-1", MINUTE);
		this.clock.advance(MINUTE);
		assertThat(this.tester.queue("canceller")).hasHandledExactly("task-1").isEmpty();
	}

	@Test
	void resultsDoWhatTheySay() {
		this.delayQueue.schedule("result", "task-1", "later", MINUTE);
		this.delayQueue.schedule("result", "task-2", "bury", MINUTE);
		this.clock.advance(MINUTE);
		assertThat(this.tester.queue("result")).hasScheduled("task-1")
			.dueIn(Duration.ofHours(7))
			.and()
			.hasDead("task-2")
			.withReason(DeadReason.DEAD_LETTERED)
			.withMessageContaining("no use")
			.withPayload("bury");
	}

	@Test
	void handlerThatTakesTooLongIsInterruptedAndFails() {
		this.delayQueue.schedule("slow", "task-1", "x", MINUTE);
		this.clock.advance(MINUTE);
		assertThat(this.listeners.calls).containsExactly("interrupted");
		assertThat(this.tester.queue("slow")).hasDead("task-1").withCause(TimeoutException.class);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void handlersRunOnTheThreadOfTheTest() {
		this.delayQueue.schedulePayload("thread", "x", MINUTE);
		this.clock.advance(MINUTE);
		assertThat(this.listeners.calls).containsExactly(Thread.currentThread().getName());
	}

	@Test
	void endlessLoopIsEndedWithAReason() {
		this.delayQueue.schedule("loop", "task-1", "x", MINUTE);
		assertThatIllegalStateException().isThrownBy(() -> this.clock.advance(Duration.ofHours(1)))
			.withMessageContaining("More than " + this.maxDeliveries + " deliveries")
			.withMessageContaining("loop/task-1")
			.withMessageContaining("delay-queue.test.max-deliveries");
	}

	@Test
	void handlerCannotTurnTheClock() {
		this.delayQueue.schedule("turner", "task-1", "x", MINUTE);
		this.clock.advance(MINUTE);
		assertThat(this.tester.failures()).singleElement()
			.satisfies((failure) -> assertThat(failure.cause()).hasMessageContaining("being turned already"));
	}

	@Test
	void taskThatWasHeldUpForTooLongExpires() {
		this.delayQueue.pause("first");
		this.delayQueue.schedule(TaskRequest.queue("first")
			.id("late")
			.payload("1")
			.delay(MINUTE)
			.expiresAfter(Duration.ofMinutes(5))
			.build());
		assertThat(this.clock.advance(Duration.ofMinutes(10))).isEmpty();
		this.delayQueue.resume("first");
		this.clock.runDue();
		assertThat(this.tester.queue("first")).hasDead("late").withReason(DeadReason.EXPIRED);
	}

	@Test
	void taskThatWasClaimedByHandComesBackWhenItsLeaseRunsOut() {
		this.delayQueue.schedule("first", "task-1", "1", Duration.ZERO);
		assertThat(this.delayQueue.poll("first", 1, MINUTE)).hasSize(1);
		assertThat(this.clock.advance(MINUTE.minusMillis(1))).isEmpty();
		assertThat(this.tester.queue("first")).hasInFlight("task-1");
		assertThat(this.clock.advance(Duration.ofMillis(1))).hasSize(1);
		assertThat(this.tester.queue("first")).hasHandled("task-1").afterAttempts(1);
	}

	static class Listeners implements TaskInterceptor {

		private final List<String> calls = new ArrayList<>();

		private final List<String> around = new ArrayList<>();

		private final DelayQueueOperations delayQueue;

		private final DelayQueueTestClock clock;

		private CompletionStage<Void> stage = CompletableFuture.completedFuture(null);

		Listeners(DelayQueueOperations delayQueue, DelayQueueTestClock clock) {
			this.delayQueue = delayQueue;
			this.clock = clock;
		}

		@Override
		public CompletionStage<List<TaskResult>> intercept(List<Delivery<?>> deliveries, DeliveryHandler handler)
				throws Exception {
			this.around.add(deliveries.get(0).task().queue() + " "
					+ deliveries.stream().map((delivery) -> delivery.task().payload()).toList());
			if (deliveries.get(0).task().id().equals("unwelcome")) {
				throw new IllegalStateException("unwelcome");
			}
			return handler.handle(deliveries);
		}

		/** Even numbers fail. */
		@DelayQueueListener(queue = "batch", batchSize = "3")
		List<TaskResult> batch(List<DelayedTask<Integer>> tasks) {
			this.calls.add("batch " + tasks.stream().map(DelayedTask::payload).toList());
			return tasks.stream()
				.map((task) -> (task.payload() == 2 || task.payload() == 4) ? TaskResult.retry() : TaskResult.done())
				.toList();
		}

		@DelayQueueListener({ "left", "right" })
		TaskResult eachQueue(DelayedTask<String> task) {
			this.calls.add(task.queue() + " " + task.payload());
			return "bury".equals(task.payload()) ? TaskResult.deadLetter("for a test") : TaskResult.done();
		}

		@DelayQueueListener(queue = "async", concurrency = "1")
		CompletionStage<Void> async(String id) {
			return this.stage;
		}

		@DelayQueueListener(queue = "first")
		void first(String payload) {
			this.calls.add("first " + payload);
		}

		@DelayQueueListener(queue = "second")
		void second(String payload) {
			this.calls.add("second " + payload);
		}

		/** Each number schedules the next. */
		@DelayQueueListener(queue = "chain")
		void chain(int number) {
			this.delayQueue.schedule("chain", "task-" + (number + 1), number + 1, Duration.ofMinutes(3));
		}

		@DelayQueueListener(queue = "canceller")
		void cancel(String other) {
			this.delayQueue.cancel("canceller", other);
		}

		@DelayQueueListener(queue = "result")
		TaskResult result(String what) {
			return what.equals("bury") ? TaskResult.deadLetter("no use") : TaskResult.retryAfter(Duration.ofHours(7));
		}

		@DelayQueueListener(queue = "slow", handlerTimeout = "100ms", maxAttempts = "1")
		void slow(String id) throws InterruptedException {
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.calls.add("interrupted");
				throw ex;
			}
		}

		@DelayQueueListener(queue = "thread")
		void thread(String id) {
			this.calls.add(Thread.currentThread().getName());
		}

		@DelayQueueListener(queue = "loop")
		void loop(String id) {
			this.delayQueue.schedule("loop", "task-1", "x", Duration.ZERO);
		}

		@DelayQueueListener(queue = "turner")
		void turn(String id) {
			this.clock.advance(Duration.ofSeconds(1));
		}

	}

}
