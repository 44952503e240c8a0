package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.journal.LoaderTable.CheckPosition;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.polling.PollingTemplates;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.testsupport.Patience;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a queue with a journal does beyond the contract of a store: transactions, tasks
 * that are in the table only, and a store or database that is out of reach.
 */
class JournaledTaskStoreTests {

	private static final String QUEUE = "orders";

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Duration DAY = Duration.ofDays(1);

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final JournaledTaskStore store = this.fixture.store;

	@Test
	void whoWaitsForTasksGetsWhatIsCommittedMeanwhile() throws Exception {
		DelayQueueTemplate template = PollingTemplates.create(this.store, Codecs.create(), TaskEvents.NONE,
				(queue) -> QueueOptions.builder().pollInterval(Duration.ofDays(1)).build());
		FutureTask<List<ClaimedTask>> waiting = new FutureTask<>(
				() -> template.poll("waited", 1, Duration.ofMinutes(1), Duration.ofDays(1)));
		new Thread(waiting).start();
		await().until(() -> this.fixture.below.calls(Step.CLAIM) == 1);
		this.fixture.transaction.executeWithoutResult((status) -> {
			template.schedule("waited", "a", null, Duration.ZERO);
			assertThat(waiting).isNotDone();
		});
		assertThat(waiting.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).singleElement()
			.satisfies((task) -> assertThat(task.complete()).isTrue());
		assertThat(this.fixture.rows("waited")).isEmpty();
	}

	@Test
	void whoHoldsATaskHearsAfterTheCommitThatItIsCancelled() {
		AtomicInteger told = new AtomicInteger();
		this.store.subscribe(QUEUE, new WakeListener() {

			@Override
			public void wake(Duration in) {
			}

			@Override
			public void withdrawn() {
				told.incrementAndGet();
			}

		});
		schedule("a", Duration.ZERO);
		assertThat(claim()).hasSize(1);
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(this.store.cancel(QUEUE, "a")).isTrue();
			assertThat(told).hasValue(0);
		});
		await().until(() -> told.get() == 1);
	}

	@Test
	void scheduledTaskIsGivenToTheStoreAfterTheCommit() {
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(schedule("a", MINUTE)).isEqualTo(ScheduleOutcome.CREATED);
			assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
			assertThat(this.store.find(QUEUE, "a")).map(StoredTask::state).contains(TaskState.SCHEDULED);
		});
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::dueAt)
			.contains(JournalFixture.START.plus(MINUTE));
		assertThat(this.fixture.check(QUEUE, "a")).as("somebody may die before that").isEqualTo(Duration.ofSeconds(40));
	}

	@ParameterizedTest
	@EnumSource(names = { "REPLACE", "REJECT" })
	void delayCountsFromTheCallForTheStoreAsForTheRow(Replacement onDuplicate) {
		JournaledTaskStore slow = this.fixture.instance(this.fixture.below,
				this.fixture.clock.passingWhenRead(Duration.ofSeconds(1)));
		slow.schedule(QUEUE, List.of(task("a", MINUTE, onDuplicate), task("b", MINUTE, onDuplicate)));
		slow.schedule(QUEUE, List.of(task("c", MINUTE, onDuplicate)));
		slow.reschedule(QUEUE, "b", DueTime.in(MINUTE.multipliedBy(2)));
		for (String id : List.of("a", "b", "c")) {
			Instant row = Instant
				.ofEpochMilli(this.fixture.jdbc.sql("SELECT due_at FROM delay_queue_task WHERE task_id = ?")
					.param(id)
					.query(Long.class)
					.single());
			// by as long as the hand-over takes after the last look at the clock
			assertThat(this.fixture.memory.find(QUEUE, id)).map(StoredTask::dueAt)
				.hasValueSatisfying((due) -> assertThat(due).isBetween(row, row.plusSeconds(2)));
		}
	}

	@Test
	void whatAClearCouldNotDoInTheDatabaseIsDoneLater() {
		schedule("a", MINUTE);
		this.fixture.clock.advance(Duration.ofSeconds(40));
		SingleLoading loading = this.fixture.loading(QUEUE);
		loading.round();
		assertThat(this.fixture.check(QUEUE, "a")).isEqualTo(Duration.ofSeconds(50));
		this.fixture.parts.rechecks().want(QUEUE);
		this.fixture.memory.clear(QUEUE);
		this.fixture.jdbc.sql("ALTER TABLE delay_queue_task RENAME TO gone").update();
		this.fixture.parts.rechecks().wanted(QUEUE);
		this.fixture.jdbc.sql("ALTER TABLE gone RENAME TO delay_queue_task").update();
		loading.round();
		assertThat(this.fixture.memory.find(QUEUE, "a")).isPresent();
	}

	@Test
	void whatIsScheduledAfterAClearWithinATransactionIsHandedOverAgain() {
		this.fixture.transaction.executeWithoutResult((status) -> this.store.clear(QUEUE));
		schedule("a", MINUTE);
		this.fixture.memory.clear(QUEUE);
		this.fixture.loading(QUEUE).round();
		assertThat(this.fixture.memory.find(QUEUE, "a")).as("others may have scheduled it before the clear")
			.isPresent();
	}

	@Test
	void whatIsRolledBackHasNotHappened() {
		schedule("cancelled", MINUTE);
		schedule("moved", MINUTE);
		schedule("replaced", MINUTE);
		this.fixture.transaction.executeWithoutResult((status) -> {
			schedule("new", MINUTE);
			schedule("replaced", Duration.ZERO);
			assertThat(this.store.cancel(QUEUE, "cancelled")).isTrue();
			assertThat(this.store.find(QUEUE, "cancelled")).isEmpty();
			assertThat(this.store.reschedule(QUEUE, "moved", DueTime.in(Duration.ZERO))).isTrue();
			status.setRollbackOnly();
		});
		assertThat(claim()).isEmpty();
		this.fixture.clock.advance(MINUTE);
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactly("cancelled", "moved", "replaced");
	}

	@Test
	void whatIsMovedWhileItIsClaimedIsNotFinishedByThatDelivery() {
		schedule("moved", Duration.ZERO);
		schedule("other", Duration.ZERO);
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(this.store.reschedule(QUEUE, "moved", DueTime.in(MINUTE))).isTrue();
			assertThat(claim()).extracting(ClaimedRecord::id).containsExactlyInAnyOrder("moved", "other");
			// and the store does not learn of the move before the delivery ends
			this.fixture.unreachable.set(true);
		});
		this.fixture.unreachable.set(false);
		assertThat(this.store.settle(QUEUE,
				List.of(Endings.complete("moved", "token", false), Endings.complete("other", "token", false))))
			.containsExactly(false, true);
		assertThat(this.fixture.memory.find(QUEUE, "moved")).isEmpty();
		this.fixture.clock.advance(MINUTE);
		this.fixture.loading(QUEUE).round();
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactly("moved");
		assertThat(this.store.settle(QUEUE, List.of(Endings.complete("moved", "token", false)))).containsExactly(true);
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
	}

	@Test
	void deliveryThatFinishedATaskIsNotStaleBecauseItsIdIsUsedAgainBeforeTheStoreLearnsOfIt() {
		schedule("a", Duration.ZERO);
		claim();
		List<Settlement> complete = List.of(Endings.complete("a", "token", false));
		this.fixture.unreachable.set(true);
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> this.store.settle(QUEUE, complete));
		this.fixture.clock.advance(Duration.ofMillis(1));
		assertThat(schedule("a", MINUTE)).isEqualTo(ScheduleOutcome.CREATED);
		this.fixture.unreachable.set(false);
		assertThat(this.store.settle(QUEUE, complete)).containsExactly(true);
		this.fixture.clock.advance(MINUTE);
		this.fixture.loading(QUEUE).round();
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactly("a");
	}

	@Test
	void whatIsRolledBackToASavepointHasNotHappened() {
		schedule("kept", MINUTE);
		TransactionTemplate nested = new TransactionTemplate(this.fixture.transactionManager);
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.fixture.transaction.executeWithoutResult((outer) -> {
			schedule("outer", MINUTE);
			nested.executeWithoutResult((inner) -> {
				schedule("inner", MINUTE);
				assertThat(this.store.cancel(QUEUE, "kept")).isTrue();
				inner.setRollbackOnly();
			});
		});
		assertThat(this.fixture.memory.find(QUEUE, "inner")).isEmpty();
		this.fixture.clock.advance(MINUTE);
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactlyInAnyOrder("kept", "outer");
	}

	@Test
	void readOnlyTransactionIsRefusedWithASentence() {
		TransactionTemplate readOnly = new TransactionTemplate(this.fixture.transactionManager);
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((status) -> {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> schedule("a", MINUTE))
				.withMessageContaining("read-only")
				.withMessageContaining(QUEUE);
			assertThat(this.store.find(QUEUE, "a")).isEmpty();
		});
	}

	@Test
	void taskBeyondTheHorizonIsInTheTableOnlyAndLooksLikeAnyOther() {
		schedule("far", DAY);
		schedule("near", MINUTE);
		assertThat(this.fixture.memory.find(QUEUE, "far")).isEmpty();
		assertThat(this.store.find(QUEUE, "far")).map(StoredTask::dueAt).contains(JournalFixture.START.plus(DAY));
		assertThat(this.store.list(QUEUE, TaskState.SCHEDULED, 0, 10)).extracting(StoredTask::id)
			.containsExactly("near", "far");
		assertThat(this.store.list(QUEUE, TaskState.SCHEDULED, 1, 10)).extracting(StoredTask::id)
			.containsExactly("far");
		assertThat(this.store.list(QUEUE, TaskState.SCHEDULED, 2, 10)).isEmpty();
		QueueStats stats = this.store.stats(QUEUE);
		assertThat(stats.waiting()).isEqualTo(2);
		assertThat(stats.inDatabaseOnly()).isOne();
		assertThat(stats.totals().scheduled()).isEqualTo(2);
		assertThat(stats.nextDueAt()).isEqualTo(JournalFixture.START.plus(MINUTE));
		assertThat(stats.delays()).extracting(QueueStats.Delays::tasks).containsExactly(0L, 0L, 1L, 0L, 0L, 0L, 1L, 0L);
	}

	@Test
	void forecastCountsWhatIsInTheTableOnlyOnce() {
		schedule("overdue", Duration.ZERO);
		schedule("near", MINUTE);
		schedule("far", DAY);
		schedule("also far", DAY);
		Forecast.Bars bars = new Forecast.Bars(JournalFixture.START, Duration.ofHours(8), 4);
		assertThat(this.store.forecast(QUEUE, bars)).isEqualTo(new Forecast(1, List.of(1L, 0L, 0L, 2L), true));
		this.fixture.clock.advance(DAY.minus(JournalFixture.HORIZON));
		this.fixture.loading(QUEUE).round();
		assertThat(this.fixture.memory.find(QUEUE, "far")).isPresent();
		assertThat(this.store.forecast(QUEUE, bars)).isEqualTo(new Forecast(2, List.of(0L, 0L, 0L, 2L), true));
	}

	@Test
	void forecastOfMoreStoredTasksThanAreCountedSaysThatItIsIncomplete() {
		Forecast.Bars bars = new Forecast.Bars(JournalFixture.START, DAY, 3);
		storeFar((int) Lookup.MOST_FORECAST - 1);
		assertThat(this.store.forecast(QUEUE, bars))
			.isEqualTo(new Forecast(0, List.of(0L, Lookup.MOST_FORECAST - 1, 0L), true));
		schedule("first", DAY.minusMillis(1));
		assertThat(this.store.forecast(QUEUE, bars))
			.isEqualTo(new Forecast(0, List.of(1L, Lookup.MOST_FORECAST - 1, 0L), false));
		schedule("last", DAY.multipliedBy(2));
		assertThat(this.store.forecast(QUEUE, bars))
			.isEqualTo(new Forecast(0, List.of(1L, Lookup.MOST_FORECAST - 1, 0L), false));
	}

	/** Tasks that are due in a day. */
	private void storeFar(int count) {
		long due = JournalFixture.START.plus(DAY).toEpochMilli();
		this.fixture.jdbc
			.sql("INSERT INTO delay_queue_task (queue, task_id, generation, due_at, priority, envelope, "
					+ "check_at, revision) SELECT ?, 'far-' || x, x, ?, 'NORMAL', '', ?, 1 FROM SYSTEM_RANGE(1, ?)")
			.params(QUEUE, due, CheckTimes.FAR + due - JournalFixture.HORIZON.toMillis(), count)
			.update();
	}

	@Test
	void taskBeyondTheHorizonCanBeCancelledAndMoved() {
		schedule("cancelled", DAY);
		schedule("moved", DAY);
		schedule("rejected", DAY);
		assertThat(this.store.cancel(QUEUE, "cancelled")).isTrue();
		assertThat(this.store.cancel(QUEUE, "cancelled")).isFalse();
		assertThat(this.store.reschedule(QUEUE, "moved", DueTime.in(Duration.ZERO))).isTrue();
		assertThat(this.store.schedule(QUEUE,
				List.of(task("rejected", Duration.ZERO, Replacement.REJECT), task("other", DAY, Replacement.REJECT))))
			.containsExactly(ScheduleOutcome.REJECTED, ScheduleOutcome.CREATED);
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactly("moved");
	}

	@Test
	void loaderGivesTheStoreWhatComesWithinTheHorizon() {
		schedule("far", DAY);
		SingleLoading loading = this.fixture.loading(QUEUE);
		loading.round();
		assertThat(this.fixture.memory.find(QUEUE, "far")).isEmpty();
		this.fixture.clock.advance(DAY.minus(JournalFixture.HORIZON));
		loading.round();
		assertThat(this.fixture.memory.find(QUEUE, "far")).map(StoredTask::dueAt)
			.contains(JournalFixture.START.plus(DAY));
		assertThat(this.fixture.check(QUEUE, "far")).isEqualTo(JournalFixture.HORIZON.plusSeconds(30));
		assertThat(claim()).isEmpty();
		this.fixture.clock.advance(JournalFixture.HORIZON);
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactly("far");
	}

	@Test
	void whatTheStoreLosesBeforeAnybodyHasLookedAtItIsRestored() {
		schedule("a", MINUTE);
		this.fixture.memory.clear(QUEUE);
		this.fixture.loading(QUEUE).round();
		assertThat(this.fixture.memory.find(QUEUE, "a")).isPresent();
	}

	@Test
	void taskThatWasMovedBeyondTheHorizonWithoutTheStoreIsNotHandedOverWhenTheOldOneIsDropped() {
		schedule("a", MINUTE);
		this.fixture.unreachable.set(true);
		assertThat(this.store.reschedule(QUEUE, "a", DueTime.in(DAY))).isTrue();
		this.fixture.unreachable.set(false);
		this.fixture.clock.advance(MINUTE);
		assertThat(claim()).isEmpty();
		assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
		this.fixture.loading(QUEUE).round();
		assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
		assertThat(this.store.stats(QUEUE).inDatabaseOnly()).isOne();
	}

	@Test
	void taskThatWasCancelledWhileTheStoreWasOutOfReachIsNotDelivered() {
		schedule("a", Duration.ZERO);
		this.fixture.unreachable.set(true);
		assertThat(this.store.cancel(QUEUE, "a")).isTrue();
		this.fixture.unreachable.set(false);
		assertThat(this.fixture.memory.find(QUEUE, "a")).isPresent();
		this.fixture.clock.advance(JournaledClaims.LAG);
		assertThat(claim()).isEmpty();
		assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
		assertThat(this.store.stats(QUEUE).totals().cancelled()).isOne();
	}

	@Test
	void taskThatWasReplacedWhileTheStoreWasOutOfReachIsDeliveredOnceAsItIsNow() {
		schedule("a", Duration.ZERO);
		this.fixture.unreachable.set(true);
		assertThat(schedule("a", MINUTE)).isEqualTo(ScheduleOutcome.REPLACED);
		this.fixture.unreachable.set(false);
		assertThat(claim()).isEmpty();
		this.fixture.clock.advance(MINUTE);
		this.fixture.loading(QUEUE).round();
		assertThat(claim()).extracting(ClaimedRecord::dueAt).containsExactly(this.fixture.clock.instant());
	}

	@Test
	void handledTaskLeavesTheTableBeforeItLeavesTheStore() {
		schedule("a", Duration.ZERO);
		assertThat(claim()).hasSize(1);
		this.fixture.unreachable.set(true);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.store.settle(QUEUE, List.of(Endings.complete("a", "token", false))));
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
		this.fixture.unreachable.set(false);
		this.fixture.clock.advance(MINUTE);
		assertThat(claim()).as("after the lease has run out").isEmpty();
		assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
	}

	@Test
	void recurringTaskIsDueLaterInTheTableBeforeItIsInTheStore() {
		Instant next = scheduleRecurring();
		assertThat(claim()).hasSize(1);
		this.fixture.unreachable.set(true);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.store.settle(QUEUE, List.of(Endings.repeat("a", "token", next, null))));
		assertThat(due()).isEqualTo(next);
		this.fixture.unreachable.set(false);
		this.fixture.clock.advance(MINUTE);
		assertThat(claim()).as("handled, though the store has not learnt of it").isEmpty();
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::dueAt).contains(next);
		this.fixture.clock.set(next);
		assertThat(claim()).extracting(ClaimedRecord::dueAt).containsExactly(next);
	}

	@Test
	void taskThatComesAgainKeepsItsRowAndIsDueThereToo() {
		schedule("a", Duration.ZERO);
		assertThat(claim()).hasSize(1);
		assertThat(this.store.settle(QUEUE, List.of(Endings.again("a", "token", MINUTE, null)))).containsExactly(true);
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:OPEN");
		assertThat(due()).isEqualTo(this.fixture.clock.instant().plus(MINUTE));
		assertThat(claim()).isEmpty();
		this.fixture.clock.advance(MINUTE);
		assertThat(claim("second")).hasSize(1);
		this.store.settle(QUEUE, List.of(Endings.complete("a", "second", false)));
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
	}

	@Test
	void recurringTaskThatTheStoreHasLostComesBackForItsNextRun() {
		Instant next = scheduleRecurring();
		this.fixture.loading(QUEUE).round();
		assertThat(claim()).hasSize(1);
		this.store.settle(QUEUE, List.of(Endings.repeat("a", "token", next, null)));
		this.fixture.memory.clear(QUEUE);
		recheck();
		this.fixture.clock.set(next.minusSeconds(1));
		this.fixture.loading(QUEUE).round();
		assertThat(claim()).isEmpty();
		this.fixture.clock.set(next);
		assertThat(claim()).extracting(ClaimedRecord::dueAt).containsExactly(next);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void recurringTaskThatTheStoreLosesBeforeItsRunIsSettledComesBackForTheNextOne(boolean noticedBefore) {
		scheduleRecurring();
		this.fixture.loading(QUEUE).round();
		assertThat(claim()).hasSize(1);
		Instant next = this.fixture.clock.instant().plus(MINUTE);
		this.fixture.memory.clear(QUEUE);
		if (noticedBefore) {
			recheck();
		}
		assertThat(this.store.settle(QUEUE, List.of(Endings.repeat("a", "token", next, null)))).containsExactly(false);
		assertThat(due()).isEqualTo(next);
		if (!noticedBefore) {
			recheck();
		}
		this.fixture.loading(QUEUE).round();
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::dueAt).contains(next);
	}

	@Test
	void runThatWasRepeatedInVainBesideAResetIsLookedAtAgain() {
		scheduleRecurring();
		this.fixture.loading(QUEUE).round();
		assertThat(claim()).hasSize(1);
		long now = this.fixture.clock.millis();
		this.fixture.jdbc.sql("UPDATE delay_queue_task SET check_at = ?").param(now + 30_000).update();
		this.fixture.memory.clear(QUEUE);
		// a reset goes backwards, and has come so far
		assertThat(this.fixture.parts.table()
			.loader()
			.recheckLost(QUEUE, now, new CheckPosition(now + 60_000, Long.MAX_VALUE, Long.MAX_VALUE), 500)).isNull();
		Instant next = this.fixture.clock.instant().plus(MINUTE);
		assertThat(this.store.settle(QUEUE, List.of(Endings.repeat("a", "token", next, null)))).containsExactly(false);
		this.fixture.loading(QUEUE).round();
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::dueAt).contains(next);
	}

	private void recheck() {
		this.fixture.parts.rechecks().all(QUEUE, () -> {
		});
	}

	@Test
	void recurringTaskThatWasCancelledMeanwhileIsNotRepeated() {
		Instant next = scheduleRecurring();
		assertThat(claim()).hasSize(1);
		this.fixture.jdbc.sql("DELETE FROM delay_queue_task").update();
		this.store.settle(QUEUE, List.of(Endings.repeat("a", "token", next, null)));
		assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
	}

	@Test
	void runOfLongAgoDoesNotBringARecurringTaskBack() {
		Instant next = scheduleRecurring();
		assertThat(claim("old")).hasSize(1);
		this.fixture.clock.advance(MINUTE);
		assertThat(claim("new")).hasSize(1);
		this.store.settle(QUEUE, List.of(Endings.repeat("a", "new", next.plus(DAY), null)));
		assertThat(this.store.settle(QUEUE, List.of(Endings.repeat("a", "old", next, null)))).containsExactly(false);
		assertThat(due()).isEqualTo(next.plus(DAY));
	}

	/** A task that is due now, and in a day again. */
	private Instant scheduleRecurring() {
		byte[] envelope = "{\"v\":2,\"o\":{\"every\":86400000}}".getBytes(StandardCharsets.UTF_8);
		Instant now = this.fixture.clock.instant();
		this.store.schedule(QUEUE,
				List.of(new NewTask("a", envelope, DueTime.at(now), TaskPriority.NORMAL, Replacement.REPLACE)));
		return now.plus(DAY);
	}

	private Instant due() {
		return Instant
			.ofEpochMilli(this.fixture.jdbc.sql("SELECT due_at FROM delay_queue_task").query(Long.class).single());
	}

	@Test
	void redriveOfATaskWhoseRowIsNotDeadYetIsRefusedUntilTheNextRoundOfALoader() {
		schedule("a", Duration.ZERO);
		claim();
		this.fixture.clock.advance(MINUTE);
		this.fixture.loading(QUEUE).round();
		byte[] failure = "{}".getBytes(StandardCharsets.UTF_8);
		this.fixture.memory.settle(QUEUE, List.of(Endings.deadLetter("a", "token", true, failure)));
		assertThat(this.store.redrive(QUEUE, List.of("a"))).containsExactly(false);
		assertThat(claim()).isEmpty();
		this.fixture.loading(QUEUE).round();
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:DEAD");
		assertThat(this.store.redrive(QUEUE, List.of("a"))).containsExactly(true);
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:OPEN");
		assertThat(claim()).hasSize(1);
	}

	@Test
	void redriveOfATaskThatDiesMeanwhileIsRefused() {
		schedule("a", Duration.ZERO);
		claim();
		this.fixture.below.before(Step.REDRIVE, () -> {
			this.fixture.below.before(Step.REDRIVE, () -> {
			});
			die("a");
		});
		assertThat(this.store.redrive(QUEUE, List.of("a"))).containsExactly(false);
		assertThat(claim()).isEmpty();
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:DEAD");
	}

	@Test
	void taskThatIsRedrivenForLaterIsDueThenAlthoughRedisLearnsOfItFromALoader() {
		schedule("a", Duration.ZERO);
		claim();
		die("a");
		this.fixture.below.fail(Step.REDRIVE);
		this.store.redrive(QUEUE, List.of("a"), new DueSpan(Duration.ofMinutes(10), Duration.ZERO));
		this.fixture.below.heal();
		this.fixture.clock.advance(MINUTE);
		this.fixture.loading(QUEUE).round();
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::state).contains(TaskState.SCHEDULED);
		assertThat(claim()).isEmpty();
		this.fixture.clock.advance(Duration.ofMinutes(9));
		assertThat(claim()).hasSize(1);
	}

	private void die(String id) {
		byte[] failure = "{}".getBytes(StandardCharsets.UTF_8);
		assertThat(this.store.settle(QUEUE, List.of(Endings.deadLetter(id, "token", true, failure))))
			.containsExactly(true);
	}

	@Test
	void taskThatAnotherHolderHasFinishedIsNotDeadAndNotSaidToBe() {
		schedule("a", Duration.ZERO);
		claim("first");
		this.fixture.clock.advance(MINUTE);
		claim("second");
		assertThat(this.store.settle(QUEUE, List.of(Endings.complete("a", "first", false)))).containsExactly(false);
		assertThat(this.store.settle(QUEUE, List.of(Endings.deadLetter("a", "second", true, null))))
			.as("what was not applied is stale")
			.containsExactly(false);
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
		assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
		assertThat(this.store.stats(QUEUE).totals().deadLettered()).isZero();
	}

	@Test
	void taskIsDeliveredInTimeWhoseCompletedPredecessorIsFromAClockThatWasAhead() {
		this.fixture.clock.advance(MINUTE);
		schedule("a", Duration.ZERO);
		claim();
		this.store.settle(QUEUE, List.of(Endings.complete("a", "token", true)));
		this.fixture.clock.advance(MINUTE.negated());
		schedule("a", Duration.ZERO);
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactly("a");
	}

	@Test
	void tasksThatLeaveTheStoreWithoutTheJournalAreDeliveredAgain() {
		schedule("a", Duration.ZERO);
		SingleLoading loading = this.fixture.loading(QUEUE);
		loading.round();
		// as by an instance of a version that does not know whose the queue is
		this.fixture.memory.claim(QUEUE, ClaimRequest.of("other", 1,
				ClaimTerms.of(MINUTE, List.of(), null).in(this.fixture.parts.ownership().table())));
		this.fixture.memory.settle(QUEUE, List.of(Endings.complete("a", "other", false)));
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:OPEN");
		this.fixture.clock.advance(Duration.ofSeconds(29));
		loading.round();
		assertThat(claim()).isEmpty();
		this.fixture.clock.advance(Duration.ofSeconds(1));
		loading.round();
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactly("a");
	}

	@Test
	void nothingIsDeliveredThatTheDatabaseCannotBeAskedAbout() {
		schedule("a", Duration.ZERO);
		this.fixture.jdbc.sql("ALTER TABLE delay_queue_task RENAME TO gone").update();
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(this::claim).withMessageContaining(QUEUE);
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::state).contains(TaskState.SCHEDULED);
		this.fixture.jdbc.sql("ALTER TABLE gone RENAME TO delay_queue_task").update();
		assertThat(claim()).extracting(ClaimedRecord::failures).containsExactly(0);
	}

	@Test
	void timeThatTheDatabaseTakesIsNotWaitedForOnceMore() {
		schedule("a", Duration.ZERO);
		schedule("b", Duration.ofSeconds(10));
		AtomicInteger looks = new AtomicInteger();
		InstantSource slow = () -> JournalFixture.START.plusSeconds(looks.getAndIncrement());
		JournaledTaskStore store = new JournaledTaskStore(this.fixture.below,
				Journal.builder(this.fixture.dataSource, this.fixture.transactionManager)
					.clock(slow.withZone(ZoneOffset.UTC))
					.build());
		ClaimResult result = store.claim(QUEUE, ClaimRequest.of("token", 10, MINUTE));
		assertThat(result.tasks()).extracting(ClaimedRecord::id).containsExactly("a");
		assertThat(result.wakeIn()).isEqualTo(Duration.ofSeconds(9));
		assertThat(result.now()).isEqualTo(JournalFixture.START.plusSeconds(1));
	}

	@Test
	void tasksFromBeforeTheJournalAreDeliveredAndCanBeCancelledAndMoved() {
		List<NewTask> old = List.of(task("due", Duration.ZERO, Replacement.REPLACE),
				task("cancelled", Duration.ZERO, Replacement.REPLACE), task("moved", MINUTE, Replacement.REPLACE),
				task("kept", MINUTE, Replacement.REPLACE));
		this.fixture.memory.schedule(QUEUE, old);
		assertThat(this.store.cancel(QUEUE, "cancelled")).isTrue();
		assertThat(this.store.reschedule(QUEUE, "moved", DueTime.in(Duration.ZERO))).isTrue();
		assertThat(this.store.schedule(QUEUE, List.of(task("kept", Duration.ZERO, Replacement.REJECT))))
			.containsExactly(ScheduleOutcome.REJECTED);
		assertThat(claim()).extracting(ClaimedRecord::id).containsExactlyInAnyOrder("due", "moved");
		assertThat(this.store.settle(QUEUE, List.of(Endings.complete("due", "token", false)))).containsExactly(true);
	}

	@Test
	void queuesWithoutAJournalDoNotTouchTheDatabase() {
		try (JournalFixture other = new JournalFixture((queue) -> false, JournalFixture.HORIZON)) {
			other.jdbc.sql("DROP TABLE delay_queue_task").update();
			other.store.schedule(QUEUE, List.of(task("a", Duration.ZERO, Replacement.REPLACE)));
			assertThat(other.memory.find(QUEUE, "a")).isPresent();
			assertThat(other.store.cancel(QUEUE, "a")).isTrue();
		}
	}

	@Test
	void deadTasksThatAClaimPurgesLeaveTheJournalHoweverManyTheyAre() {
		int count = 2 * TaskStore.MAX_BATCH;
		for (int half = 0; half < 2; half++) {
			String token = "token-" + half;
			this.store.schedule(QUEUE,
					IntStream.range(half * TaskStore.MAX_BATCH, (half + 1) * TaskStore.MAX_BATCH)
						.mapToObj((i) -> task("task-" + i, Duration.ZERO, Replacement.REPLACE))
						.toList());
			List<ClaimedRecord> tasks = this.store
				.claim(QUEUE, ClaimRequest.of(token, TaskStore.MAX_BATCH, Duration.ofSeconds(30)))
				.tasks();
			this.store.settle(QUEUE,
					tasks.stream().map((task) -> Endings.deadLetter(task.id(), token, true, null)).toList());
		}
		assertThat(this.store.stats(QUEUE).dead()).isEqualTo(count);
		assertThat(this.store.requireRole(TaskRetention.class)
			.tend(QUEUE, new Retention(Duration.ZERO, null, 0L))
			.purged()).hasSize(count);
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
	}

	private ScheduleOutcome schedule(String id, Duration delay) {
		return this.store.schedule(QUEUE, List.of(task(id, delay, Replacement.REPLACE))).get(0);
	}

	private List<ClaimedRecord> claim() {
		return claim("token");
	}

	private List<ClaimedRecord> claim(String token) {
		return this.store.claim(QUEUE, ClaimRequest.of(token, 100, Duration.ofSeconds(30))).tasks();
	}

}
