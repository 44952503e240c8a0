package io.github.delayqueue.listener;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.DeadReason;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of a recurring task after each of its runs, by a clock that is turned.
 */
@Execution(ExecutionMode.CONCURRENT)
class RecurringTaskTests {

	private static final String QUEUE = "reports";

	private static final String ID = "hourly";

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration HOUR = Duration.ofHours(1);

	private static final QueueOptions SETTINGS = ListenerFixture.settings(Duration.ofMillis(10), Retention.NONE, null);

	private final MutableClock clock = new MutableClock(START);

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	private final RecordingEvents events = new RecordingEvents();

	/** What is released, because its thread was slow to start, would wait as well. */
	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(this.store, SETTINGS, new PatientThreads(false),
			this.events);

	/** When the runs were due. */
	private final Queue<Instant> runs = new ConcurrentLinkedQueue<>();

	@Test
	void isRunOnItsGridForEverUnderOneId() {
		schedule(Recurrence.every(HOUR));
		register(TaskResult.done());
		for (int i = 0; i < 5; i++) {
			awaitRun(START.plus(HOUR.multipliedBy(i)));
			this.clock.advance(HOUR);
		}
		awaitRun(START.plus(HOUR.multipliedBy(5)));
		assertThat(this.runs).hasSize(6).doesNotHaveDuplicates();
		assertThat(this.store.stats(QUEUE).totals().completed()).isEqualTo(6);
		assertThat(this.store.stats(QUEUE).totals().scheduled()).isEqualTo(7);
		await()
			.untilAsserted(() -> assertThat(this.events.outcomes()).hasSize(6).containsOnly(DeliveryOutcome.SUCCESS));
	}

	@Test
	void missedTimesAreRunOnceAndThenTheGrid() {
		schedule(Recurrence.every(HOUR));
		this.clock.advance(Duration.ofMinutes(330));
		register(TaskResult.done());
		awaitRun(START);
		assertThat(next()).isEqualTo(START.plus(HOUR.multipliedBy(6)));
		assertThat(this.runs).hasSize(1);
	}

	@Test
	void runThatNobodyBeganUntilTheNextIsSkippedWhereItSaysSo() {
		schedule(Recurrence.every(HOUR).onMissed(OnMissed.SKIP));
		this.clock.advance(Duration.ofMinutes(330));
		register(TaskResult.done());
		await().until(() -> isWaiting() && next().isAfter(START));
		assertThat(next()).isEqualTo(START.plus(HOUR.multipliedBy(6)));
		assertThat(this.runs).isEmpty();
		this.clock.advance(Duration.ofMinutes(89));
		awaitRun(START.plus(HOUR.multipliedBy(6)));
		assertThat(next()).as("run, though 59 minutes late").isEqualTo(START.plus(HOUR.multipliedBy(7)));
		assertThat(this.store.stats(QUEUE).totals().completed()).isOne();
	}

	@Test
	void runThatTakesLongerThanItsPeriodIsFollowedByOneForAllThatWereMissed() {
		schedule(Recurrence.every(HOUR));
		this.instance.register(QUEUE, (task, context) -> {
			this.runs.add(task.dueAt());
			if (this.runs.size() == 1) {
				this.clock.advance(Duration.ofMinutes(210));
			}
			return TaskResult.done();
		}, ListenerOptions.builder().autoRenewLease(false).leaseDuration(Duration.ofDays(1)).build());
		await().until(() -> this.runs.size() == 2 && isWaiting());
		assertThat(this.runs).containsExactly(START, START.plus(HOUR));
		assertThat(next()).isEqualTo(START.plus(HOUR.multipliedBy(4)));
	}

	@Test
	void clockThatIsSetBackDoesNotRunATimeAgain() {
		schedule(Recurrence.every(HOUR));
		register(TaskResult.done());
		awaitRun(START);
		this.clock.set(START.minus(Duration.ofHours(5)));
		await().during(Duration.ofMillis(200)).until(() -> this.runs.size() == 1);
		assertThat(next()).isEqualTo(START.plus(HOUR));
		this.clock.set(START.plus(HOUR));
		awaitRun(START.plus(HOUR));
	}

	@Test
	void retryWhileTheClockIsSetBackDoesNotRunItsTimeAgain() {
		schedule(Recurrence.every(HOUR));
		failOnceAndSetBackTheClock();
		this.clock.advance(Duration.ofMinutes(1));
		await().until(() -> this.runs.size() == 2 && isWaiting());
		assertThat(this.runs).element(1).isEqualTo(START.minus(Duration.ofMinutes(119)));
		assertThat(next()).isEqualTo(START.plus(HOUR));
	}

	@Test
	void retryOfATimeBeforeWhichTheClockWasSetBackIsNotMissed() {
		schedule(Recurrence.every(HOUR).onMissed(OnMissed.SKIP));
		failOnceAndSetBackTheClock();
		this.clock.set(START.plus(Duration.ofMinutes(1)));
		await().until(() -> found().failures() == 0 && isWaiting());
		assertThat(this.runs).hasSize(2);
		assertThat(next()).isEqualTo(START.plus(HOUR));
	}

	private void failOnceAndSetBackTheClock() {
		this.instance.register(QUEUE, (task, context) -> {
			this.runs.add(task.dueAt());
			if (task.attempt() == 1) {
				this.clock.set(START.minus(Duration.ofHours(2)));
				throw new IOException("not yet");
			}
			return TaskResult.done();
		}, ListenerOptions.builder().retry(ListenerFixture.fixedDelay(4, Duration.ofMinutes(1))).build());
		await().until(() -> this.runs.size() == 1 && isWaiting());
	}

	@Test
	void allAttemptsAtARunAreToldItsTimeAlsoWhereTheyComeAfterTheNextOne() {
		schedule(Recurrence.every(HOUR));
		Queue<Instant> times = new ConcurrentLinkedQueue<>();
		this.instance.register(QUEUE, (task, context) -> {
			times.add(task.runAt());
			this.runs.add(task.dueAt());
			if (task.attempt() < 3) {
				throw new IOException("not yet");
			}
			return TaskResult.done();
		}, ListenerOptions.builder().retry(ListenerFixture.fixedDelay(4, Duration.ofMinutes(40))).build());
		for (int i = 1; i < 3; i++) {
			int attempts = i;
			await().until(() -> this.runs.size() == attempts && isWaiting());
			assertThat(this.instance.failureOf(QUEUE, ID).runAt()).isEqualTo(START);
			this.clock.advance(Duration.ofMinutes(40));
		}
		await().until(() -> this.runs.size() == 3 && isWaiting());
		assertThat(this.runs).containsExactly(START, START.plus(Duration.ofMinutes(40)),
				START.plus(Duration.ofMinutes(80)));
		assertThat(times).hasSize(3).containsOnly(START);
		this.clock.set(next());
		awaitRun(START.plus(HOUR.multipliedBy(2)));
		assertThat(times).last().isEqualTo(START.plus(HOUR.multipliedBy(2)));
	}

	@Test
	void retryThatWasMissedIsAFailedRunWhereMissedOnesAreSkipped() {
		schedule(Recurrence.every(HOUR).onMissed(OnMissed.SKIP));
		this.instance.register(QUEUE, (task, context) -> {
			this.runs.add(task.dueAt());
			throw new IOException("not yet");
		}, ListenerOptions.builder().retry(ListenerFixture.fixedDelay(4, Duration.ofMinutes(50))).build());
		awaitRun(START);
		this.instance.registry().stop();
		this.clock.advance(Duration.ofMinutes(61));
		this.instance.registry().start();
		await().until(() -> isWaiting() && found().failures() == 0);
		assertThat(next()).isEqualTo(START.plus(HOUR.multipliedBy(2)));
		assertThat(this.runs).containsExactly(START);
		TaskFailure failure = this.instance.failureOf(QUEUE, ID);
		assertThat(failure.reason()).isEqualTo(DeadReason.EXPIRED);
		assertThat(failure.runAt()).isEqualTo(START);
		await().untilAsserted(() -> assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.RETRY,
				DeliveryOutcome.FAILED));
	}

	@Test
	void runWhoseAttemptsAreUsedUpIsGivenUpAndTheTaskGoesOn() {
		schedule(Recurrence.every(HOUR));
		AtomicInteger calls = new AtomicInteger();
		this.instance.register(QUEUE, (task, context) -> {
			if (calls.incrementAndGet() <= 2) {
				throw new IOException("no connection");
			}
			this.runs.add(task.dueAt());
			assertThat(task.attempt()).isOne();
			return TaskResult.done();
		}, ListenerOptions.builder().retry(ListenerFixture.fixedDelay(2, Duration.ZERO)).build());
		await().until(() -> calls.get() == 2 && isWaiting());
		assertThat(next()).isEqualTo(START.plus(HOUR));
		TaskFailure failure = this.instance.failureOf(QUEUE, ID);
		assertThat(failure.reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
		assertThat(failure.message()).isEqualTo("no connection");
		await().untilAsserted(() -> assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.RETRY,
				DeliveryOutcome.FAILED));
		assertThat(this.store.stats(QUEUE).totals().retried()).isEqualTo(2);
		assertThat(this.store.stats(QUEUE).dead()).isZero();
		this.clock.advance(HOUR);
		awaitRun(START.plus(HOUR));
		assertThat(FailureJson.readFailure(found().failure())).as("forgotten with the next success").isNull();
	}

	@Test
	void runThatIsTooLateIsGivenUpAndTheTaskGoesOn() {
		schedule(Recurrence.every(HOUR), Duration.ofMinutes(5));
		this.clock.advance(Duration.ofMinutes(6));
		register(TaskResult.done());
		await().until(() -> isWaiting() && next().isAfter(START));
		assertThat(this.runs).isEmpty();
		assertThat(this.instance.failureOf(QUEUE, ID).reason()).isEqualTo(DeadReason.EXPIRED);
		await().untilAsserted(() -> assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.FAILED));
		this.clock.advance(Duration.ofMinutes(55));
		awaitRun(START.plus(HOUR));
	}

	@Test
	void lastRunThatWentWellIsKeptWhileOthersFail() {
		schedule(Recurrence.every(HOUR));
		assertThat(lastRun()).isNull();
		AtomicReference<TaskResult> result = new AtomicReference<>(TaskResult.done());
		this.instance.register(QUEUE, (task, context) -> {
			this.clock.advance(Duration.ofSeconds(3));
			this.runs.add(task.dueAt());
			return result.get();
		}, ListenerOptions.builder().retry(ListenerFixture.fixedDelay(2, Duration.ofMinutes(1))).build());
		awaitRun(START);
		CompletedRun first = lastRun();
		assertThat(first.endedAt()).isAfterOrEqualTo(START);
		assertThat(found().failures()).isZero();
		result.set(TaskResult.retryAfter(Duration.ofMinutes(1)));
		this.clock.advance(HOUR);
		await().until(() -> this.runs.size() == 2 && isWaiting());
		assertThat(found().failures()).isOne();
		assertThat(lastRun()).isEqualTo(first);
		this.clock.advance(Duration.ofMinutes(1));
		await().until(() -> this.runs.size() == 3 && isWaiting());
		TaskFailure failed = this.instance.failureOf(QUEUE, ID);
		assertThat(failed.reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
		assertThat(failed.runAt()).isEqualTo(START.plus(HOUR));
		assertThat(failed.earlier()).hasSize(1);
		assertThat(lastRun()).isEqualTo(first);
		this.clock.advance(HOUR);
		await().until(() -> this.runs.size() == 4 && isWaiting());
		failed = this.instance.failureOf(QUEUE, ID);
		assertThat(failed.runAt()).as("of this run, not of the one before").isEqualTo(START.plus(HOUR.multipliedBy(2)));
		assertThat(failed.earlier()).isNull();
		result.set(TaskResult.runAgainAfter(Duration.ofMinutes(2)));
		this.clock.advance(Duration.ofMinutes(1));
		await().until(() -> this.runs.size() == 5 && isWaiting());
		assertThat(lastRun().endedAt()).isAfter(START.plus(HOUR.multipliedBy(2)));
		assertThat(FailureJson.readFailure(found().failure())).isNull();
	}

	@Test
	void lastRunOfARecurrenceThatEndsIsKept() {
		Instant last = Instant.parse("9999-01-01T00:00:00Z");
		this.clock.set(last);
		schedule(Recurrence.cron("0 0 0 1 1 *", ZoneId.of("UTC")));
		register(TaskResult.done());
		await().until(() -> found().state() == TaskState.DEAD);
		assertThat(this.instance.failureOf(QUEUE, ID).reason()).isEqualTo(DeadReason.DEAD_LETTERED);
		assertThat(lastRun()).isNotNull();
		assertThat(lastRun().endedAt()).isAfterOrEqualTo(last);
	}

	@Test
	void handlerThatDeadLettersItEndsItAndRedriveGoesOnWithIt() {
		schedule(Recurrence.every(HOUR));
		AtomicReference<TaskResult> result = new AtomicReference<>(TaskResult.deadLetter("no more"));
		this.instance.register(QUEUE, (task, context) -> {
			this.runs.add(task.dueAt());
			return result.get();
		}, ListenerOptions.defaults());
		await().until(() -> found().state() == TaskState.DEAD);
		this.clock.advance(Duration.ofMinutes(90));
		result.set(TaskResult.done());
		assertThat(this.store.redrive(QUEUE, List.of(ID))).containsExactly(true);
		awaitRun(START.plus(Duration.ofMinutes(90)));
		assertThat(next()).isEqualTo(START.plus(HOUR.multipliedBy(2)));
	}

	@Test
	void taskThatKillsItsProcessDiesLikeAnyOtherAlsoWhereItsMissedRunsAreSkipped() {
		schedule(Recurrence.every(Duration.ofSeconds(10)).onMissed(OnMissed.SKIP));
		crash("first");
		crash("second");
		register(TaskResult.done(), ListenerOptions.builder().maxLeaseLosses(3).build());
		await().until(this::isWaiting);
		assertThat(found().leasesLost()).as("a missed run forgets nothing").isEqualTo(2);
		assertThat(this.instance.failureOf(QUEUE, ID).reason()).as("it was begun").isEqualTo(DeadReason.EXPIRED);
		this.instance.registry().stop();
		this.clock.advance(Duration.ofSeconds(10));
		crash("third");
		this.instance.registry().start();
		await().until(() -> found().state() == TaskState.DEAD);
		assertThat(this.instance.failureOf(QUEUE, ID).reason()).isEqualTo(DeadReason.LEASES_EXHAUSTED);
		assertThat(this.runs).isEmpty();
	}

	private void crash(String token) {
		assertThat(this.store.claim(QUEUE, ClaimRequest.of(token, 1, Duration.ofSeconds(60))).tasks()).hasSize(1);
		this.clock.advance(Duration.ofSeconds(61));
	}

	@Test
	void cancelEndsItAlsoWhileARunIsInFlight() {
		schedule(Recurrence.every(HOUR));
		Gate gate = new Gate();
		this.instance.register(QUEUE, (task, context) -> gate.pass(), ListenerOptions.defaults());
		await().until(() -> gate.entered() == 1);
		assertThat(this.store.cancel(QUEUE, ID)).isTrue();
		gate.open();
		await().untilAsserted(() -> assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE));
		assertThat(this.store.find(QUEUE, ID)).isEmpty();
	}

	@Test
	void runOfATaskThatIsReplacedMeanwhileLeavesTheNewOne() {
		schedule(Recurrence.every(HOUR));
		Gate gate = new Gate();
		this.instance.register(QUEUE, (task, context) -> gate.pass(), ListenerOptions.defaults());
		await().until(() -> gate.entered() == 1);
		Recurrence daily = Recurrence.every(Duration.ofDays(1)).from(START.plus(HOUR));
		this.store.schedule(QUEUE, List.of(task(daily, START.plus(HOUR))));
		gate.open();
		await().untilAsserted(() -> assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE));
		assertThat(next()).isEqualTo(START.plus(HOUR));
	}

	@Test
	void rescheduleMovesTheNextRunOnly() {
		schedule(Recurrence.every(HOUR));
		register(TaskResult.done());
		awaitRun(START);
		Instant moved = START.plus(Duration.ofMinutes(100));
		assertThat(this.store.reschedule(QUEUE, ID, DueTime.at(moved))).isTrue();
		this.clock.set(moved);
		awaitRun(moved);
		assertThat(next()).isEqualTo(START.plus(HOUR.multipliedBy(2)));
	}

	@Test
	void tasksOfABatchGoOnEachByItself() {
		schedule(Recurrence.every(HOUR));
		this.store.schedule(QUEUE,
				List.of(this.instance.task(QUEUE, "single", "payload", DueTime.in(Duration.ZERO), TaskOptions.NONE)));
		this.instance.register(QUEUE, ListenerOptions.builder().batchSize(10).build(), (deliveries) -> {
			deliveries.forEach((delivery) -> this.runs.add(delivery.task().dueAt()));
			return CompletableFuture.completedFuture(new ArrayList<>(deliveries.stream()
				.map((delivery) -> delivery.task().id().equals(ID) ? TaskResult.done()
						: TaskResult.deadLetter("single"))
				.toList()));
		});
		await().until(() -> this.runs.size() == 2 && isWaiting() && this.store.stats(QUEUE).dead() == 1);
		assertThat(next()).isEqualTo(START.plus(HOUR));
	}

	private void schedule(Recurrence recurrence) {
		schedule(recurrence, null);
	}

	private void schedule(Recurrence recurrence, Duration expiresAfter) {
		Instant first = this.clock.instant();
		TaskOptions options = new TaskOptions(null, null, null, expiresAfter, recurrence.from(first));
		this.store.schedule(QUEUE, List.of(this.instance.task(QUEUE, ID, "payload", DueTime.at(first), options)));
	}

	private NewTask task(Recurrence recurrence, Instant dueAt) {
		return this.instance.task(QUEUE, ID, "payload", DueTime.at(dueAt), TaskOptions.NONE.withRecurrence(recurrence));
	}

	private void register(TaskResult result) {
		register(result, ListenerOptions.defaults());
	}

	private void register(TaskResult result, ListenerOptions options) {
		this.instance.register(QUEUE, (task, context) -> {
			this.runs.add(task.dueAt());
			return result;
		}, options);
	}

	private void awaitRun(Instant dueAt) {
		await().until(() -> this.runs.contains(dueAt) && isWaiting());
	}

	private boolean isWaiting() {
		return found().state() == TaskState.SCHEDULED;
	}

	private Instant next() {
		return found().dueAt();
	}

	private CompletedRun lastRun() {
		byte[] kept = found().failure();
		return (kept != null) ? FailureJson.readLastRun(kept) : null;
	}

	private StoredTask found() {
		return this.store.find(QUEUE, ID).orElseThrow();
	}

}
