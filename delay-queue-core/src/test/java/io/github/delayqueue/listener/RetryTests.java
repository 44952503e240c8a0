package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Deliveries that fail and are repeated.
 */
@Execution(ExecutionMode.CONCURRENT)
class RetryTests {

	private static final String QUEUE = "orders";

	private static final Duration LONG = Duration.ofHours(1);

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final RecordingEvents events = new RecordingEvents();

	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(this.store, this.events);

	private final Queue<Instant> handledAt = new ConcurrentLinkedQueue<>();

	private final Queue<Integer> attempts = new ConcurrentLinkedQueue<>();

	@Test
	void deliversAgainAfterTheDelayUntilTheHandlerSucceeds() {
		RetryOptions retry = ListenerFixture.fixedDelay(5, Duration.ofMillis(100));
		this.instance.register(QUEUE, (task, context) -> {
			record(task.attempt());
			if (task.attempt() < 3) {
				throw new IllegalStateException("not yet");
			}
			return TaskResult.done();
		}, ListenerOptions.builder().retry(retry).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.events.ends().size() == 3);
		assertThat(this.attempts).containsExactly(1, 2, 3);
		assertGaps(Duration.ofMillis(100), Duration.ofMillis(100));
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.RETRY, DeliveryOutcome.RETRY,
				DeliveryOutcome.SUCCESS);
		assertThat(this.store.find(QUEUE, "task")).isEmpty();
		assertThat(this.store.stats(QUEUE).totals().retried()).isEqualTo(2);
	}

	@Test
	void keepsCountAndLastFailureWhileATaskWaitsForItsRetry() {
		Instant before = Instant.now();
		failOnce(new IllegalStateException("no connection"),
				ListenerOptions.builder().retry(ListenerFixture.fixedDelay(4, LONG)).build());
		StoredTask task = find();
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.failures()).isEqualTo(1);
		assertThat(task.at()).isBetween(before.plus(LONG), Instant.now().plus(LONG).plusMillis(1));
		TaskFailure failure = this.instance.failureOf(QUEUE, "task");
		assertThat(failure.type()).isEqualTo(IllegalStateException.class.getName());
		assertThat(failure.message()).isEqualTo("no connection");
		assertThat(failure.reason()).isNull();
		assertThat(failure.at()).isBetween(before, Instant.now());
		assertThat(this.events.ends().get(0).failure()).isEqualTo(failure);
	}

	@Test
	void asksTheStoreForNoEarlierFailureWhenATaskFails() {
		FaultyTaskStore faulty = new FaultyTaskStore(this.store);
		faulty.fail(Step.FIND);
		try (ListenerFixture other = new ListenerFixture(faulty, this.events)) {
			other.register(QUEUE, (task, context) -> {
				throw new IllegalStateException("not at attempt " + task.attempt());
			}, ListenerOptions.builder().retry(ListenerFixture.fixedDelay(2, Duration.ofMillis(1))).build());
			other.schedule(QUEUE, "task", "payload", Duration.ZERO);
			await().until(() -> !this.store.list(QUEUE, TaskState.DEAD, 0, 1).isEmpty());
			faulty.heal();
			assertThat(other.failureOf(QUEUE, "task").earlier()).extracting(TaskFailure::message)
				.containsExactly("not at attempt 1");
		}
	}

	@Test
	void deliversAgainWhenTheHandlerAsksForIt() {
		this.instance.register(QUEUE, (task, context) -> TaskResult.retry(),
				ListenerOptions.builder().retry(ListenerFixture.fixedDelay(4, LONG)).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(find().failures()).isEqualTo(1);
		assertThat(this.instance.failureOf(QUEUE, "task").message()).isEqualTo("The handler asked for a retry");
	}

	@Test
	void deliversAgainAfterTheDelayThatTheHandlerNames() {
		Instant before = Instant.now();
		this.instance.register(QUEUE, (task, context) -> TaskResult.retryAfter(LONG),
				ListenerFixture.attempts(2).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(find().at()).isBetween(before.plus(LONG), Instant.now().plus(LONG).plusMillis(1));
		assertThat(find().failures()).isEqualTo(1);
	}

	@Test
	void deliversAgainWhatIsHandledAndIsToComeAgainAndSpendsNoAttempt() {
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		this.instance.register(QUEUE, (task, context) -> {
			attempts.add(task.attempt());
			return (attempts.size() < 6) ? TaskResult.runAgainAfter(Duration.ZERO) : TaskResult.runAgainAfter(LONG);
		}, ListenerFixture.attempts(2).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.events.ends().size() == 6);
		assertThat(attempts).containsOnly(1);
		assertThat(this.events.outcomes()).containsOnly(DeliveryOutcome.SUCCESS);
		assertThat(find().at()).isAfter(Instant.now().plus(LONG.dividedBy(2)));
		assertThat(find().failures()).isZero();
		assertThat(this.store.stats(QUEUE).totals()).returns(6L, QueueStats.Totals::completed)
			.returns(7L, QueueStats.Totals::scheduled)
			.returns(0L, QueueStats.Totals::stale);
	}

	@Test
	void diesWhenTheHandlerNamesADelayAtItsLastAttempt() {
		this.instance.register(QUEUE, (task, context) -> TaskResult.retryAfter(Duration.ZERO),
				ListenerFixture.attempts(2).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).dead() == 1);
		assertThat(find().failures()).isEqualTo(2);
		assertThat(this.instance.failureOf(QUEUE, "task").reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
	}

	@Test
	void takesTheLadderAndTheAttemptsThatATaskBrings() {
		List<Duration> ladder = List.of(Duration.ZERO, Duration.ofMillis(80));
		failAlways(ListenerOptions.builder().retry(ListenerFixture.fixedDelay(9, LONG)).build(),
				new TaskOptions(null, null, ladder, null, null));
		await().until(() -> this.store.stats(QUEUE).dead() == 1);
		assertThat(this.attempts).containsExactly(1, 2, 3);
		assertGaps(ladder.toArray(Duration[]::new));
	}

	@Test
	void tellsTheHandlerWhichAttemptIsItsLast() {
		Queue<String> told = new ConcurrentLinkedQueue<>();
		this.instance.register(QUEUE, (task, context) -> {
			told.add(task.attempt() + " of " + context.maxAttempts() + ", last: " + context.isLastAttempt());
			return TaskResult.retry();
		}, ListenerFixture.attempts(9).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO, new TaskOptions(null, 2, null, null, null));
		await().until(() -> this.store.stats(QUEUE).dead() == 1);
		assertThat(told).containsExactly("1 of 2, last: false", "2 of 2, last: true");
	}

	@Test
	void takesAPolicyOfTheListenersOwn() {
		RedeliveryPolicy policy = (failures, cause) -> (failures < 3) ? Duration.ofMillis(10) : null;
		failAlways(ListenerOptions.builder().redeliveryPolicy(policy).build(), TaskOptions.NONE);
		await().until(() -> this.store.stats(QUEUE).dead() == 1);
		assertThat(this.attempts).containsExactly(1, 2, 3);
	}

	private void failOnce(RuntimeException failure, ListenerOptions options) {
		this.instance.register(QUEUE, (task, context) -> {
			throw failure;
		}, options);
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> !this.events.ends().isEmpty());
	}

	private void failAlways(ListenerOptions options, TaskOptions taskOptions) {
		this.instance.register(QUEUE, (task, context) -> {
			record(task.attempt());
			throw new IllegalStateException("never");
		}, options);
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO, taskOptions);
	}

	private void record(int attempt) {
		this.handledAt.add(Instant.now());
		this.attempts.add(attempt);
	}

	private void assertGaps(Duration... least) {
		List<Instant> times = List.copyOf(this.handledAt);
		assertThat(times).hasSize(least.length + 1);
		for (int i = 0; i < least.length; i++) {
			assertThat(Duration.between(times.get(i), times.get(i + 1))).as("before attempt " + (i + 2))
				.isGreaterThanOrEqualTo(least[i]);
		}
	}

	private StoredTask find() {
		return this.store.find(QUEUE, "task").orElseThrow();
	}

}
