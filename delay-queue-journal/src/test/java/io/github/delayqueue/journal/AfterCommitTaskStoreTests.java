package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WholeStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AfterCommitTaskStore}, with transactions of a real database.
 */
class AfterCommitTaskStoreTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final String QUEUE = "order_timeout";

	private static final String OTHER = "other";

	private final MutableClock clock = new MutableClock(START);

	private final AtomicLong nanoTime = new AtomicLong();

	private final Recorded recorded = new Recorded(new InMemoryTaskStore(this.clock));

	private final RecordingEvents events = new RecordingEvents();

	private final TaskStore store = new AfterCommitTaskStore(this.recorded, QUEUE::equals,
			new TaskEvents(List.of(this.events))) {

		@Override
		protected long nanoTime() {
			return AfterCommitTaskStoreTests.this.nanoTime.get();
		}

	};

	private final TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(
			new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")));

	@Test
	void otherQueueIsScheduledAtOnce() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.store.schedule(OTHER, List.of(task("a")))).containsExactly(ScheduleOutcome.CREATED);
			assertThat(this.recorded.find(OTHER, "a")).isPresent();
			status.setRollbackOnly();
		});
		assertThat(this.recorded.find(OTHER, "a")).isPresent();
	}

	@Test
	void commitSchedules() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(schedule("a", "b")).containsExactly(ScheduleOutcome.DEFERRED, ScheduleOutcome.DEFERRED);
			assertThat(this.recorded.calls).isEmpty();
			assertThat(this.store.find(QUEUE, "a")).isEmpty();
		});
		assertThat(this.recorded.calls).containsExactly("schedule [a, b]");
		assertThat(state("a")).isEqualTo(TaskState.SCHEDULED);
	}

	@Test
	void debouncedTaskCountsFromTheCallAndSoDoesItsLimit() {
		for (int i = 0; i < 2; i++) {
			this.transaction.executeWithoutResult((status) -> {
				this.store.schedule(QUEUE, List
					.of(Tasks.with(Debounce.of(Duration.ofSeconds(5), Duration.ofSeconds(8)), Tasks.task("a"))));
				this.nanoTime.addAndGet(Duration.ofSeconds(2).toNanos());
				this.clock.advance(Duration.ofSeconds(2));
			});
			assertThat(this.recorded.find(QUEUE, "a")).map(StoredTask::dueAt)
				.contains(START.plusSeconds((i == 0) ? 5 : 8));
			this.clock.set(START.plusMillis(4500));
		}
	}

	@Test
	void rollbackSchedulesNothing() {
		this.transaction.executeWithoutResult((status) -> {
			schedule("a");
			this.store.scheduleAhead(QUEUE, List.of(task("b")), ScheduleOptions.NONE).get();
			status.setRollbackOnly();
		});
		assertThat(this.recorded.calls).isEmpty();
		schedule("c");
		assertThat(this.recorded.calls).containsExactly("schedule [c]");
	}

	@Test
	void stepsAreCarriedOutInTheirOrder() {
		schedule("old");
		this.recorded.calls.clear();
		this.transaction.executeWithoutResult((status) -> {
			schedule("a");
			assertThat(this.store.cancel(QUEUE, "a")).isTrue();
			assertThat(this.store.reschedule(QUEUE, "old", DueTime.in(Duration.ofHours(2)))).isTrue();
			this.store.scheduleAhead(QUEUE, List.of(task("a")), ScheduleOptions.NONE).get();
			assertThat(this.store.reschedule(QUEUE, "a", DueTime.in(Duration.ofHours(3)))).isTrue();
		});
		assertThat(this.recorded.calls).containsExactly("schedule [a]", "cancel a", "reschedule old", "schedule [a]",
				"reschedule a");
		assertThat(due("old")).isEqualTo(START.plus(Duration.ofHours(2)));
		assertThat(due("a")).isEqualTo(START.plus(Duration.ofHours(3)));
	}

	@Test
	void delayCountsFromTheCall() {
		schedule("moved");
		this.transaction.executeWithoutResult((status) -> {
			schedule("a");
			this.store.reschedule(QUEUE, "moved", DueTime.in(Duration.ofMinutes(10)));
			this.store.schedule(QUEUE, List.of(task("at", DueTime.at(START.plusSeconds(60)), Replacement.REPLACE)));
			pass(Duration.ofSeconds(2).plusNanos(400_000));
		});
		assertThat(due("a")).isBetween(START.plus(Duration.ofHours(1)), START.plus(Duration.ofHours(1)).plusMillis(1));
		assertThat(due("moved")).isBetween(START.plus(Duration.ofMinutes(10)),
				START.plus(Duration.ofMinutes(10)).plusMillis(1));
		assertThat(due("at")).isEqualTo(START.plusSeconds(60));
	}

	@Test
	void duplicateIsRejectedByALookAtTheStore() {
		schedule("there");
		this.transaction.executeWithoutResult((status) -> {
			assertThat(reject("there", "new", "new")).containsExactly(ScheduleOutcome.REJECTED,
					ScheduleOutcome.DEFERRED, ScheduleOutcome.REJECTED);
			assertThat(reject("new")).containsExactly(ScheduleOutcome.REJECTED);
			this.store.cancel(QUEUE, "there");
			assertThat(reject("there")).containsExactly(ScheduleOutcome.DEFERRED);
		});
		assertThat(this.recorded.calls).containsExactly("schedule [there]", "schedule [new]", "cancel there",
				"schedule [there]");
	}

	@Test
	void duplicateThatSomebodyElseSchedulesBeforeTheCommitStays() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(reject("a")).containsExactly(ScheduleOutcome.DEFERRED);
			this.recorded.schedule(QUEUE, List.of(task("a", DueTime.in(Duration.ofDays(1)), Replacement.REPLACE)));
		});
		assertThat(due("a")).isEqualTo(START.plus(Duration.ofDays(1)));
		assertThat(this.events.events()).isEmpty();
	}

	@Test
	void cancellingWhatIsNotThereIsFalseAndDoesNothing() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.store.cancel(QUEUE, "a")).isFalse();
			assertThat(this.store.reschedule(QUEUE, "a", DueTime.in(Duration.ZERO))).isFalse();
			schedule("a");
			assertThat(this.store.cancel(QUEUE, "a")).isTrue();
			assertThat(this.store.cancel(QUEUE, "a")).isFalse();
			assertThat(this.store.reschedule(QUEUE, "a", DueTime.in(Duration.ZERO))).isFalse();
		});
		assertThat(this.recorded.calls).containsExactly("schedule [a]", "cancel a");
	}

	@Test
	void taskThatIsGoneByTheCommitIsNoError() {
		schedule("a", "b");
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.store.cancel(QUEUE, "a")).isTrue();
			assertThat(this.store.reschedule(QUEUE, "b", DueTime.in(Duration.ZERO))).isTrue();
			this.recorded.clear(QUEUE);
		});
		assertThat(this.recorded.find(QUEUE, "b")).isEmpty();
		assertThat(this.events.events()).isEmpty();
	}

	@Test
	void innerTransactionOfItsOwnIsIndependent() {
		this.transaction.executeWithoutResult((status) -> {
			schedule("outer");
			with(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult((inner) -> schedule("inner"));
			assertThat(this.recorded.calls).containsExactly("schedule [inner]");
			schedule("outer2");
			status.setRollbackOnly();
		});
		assertThat(this.recorded.calls).containsExactly("schedule [inner]");
	}

	@Test
	void whatFollowedASavepointIsForgottenWithIt() {
		this.transaction.executeWithoutResult((status) -> {
			schedule("before");
			nested("kept", false);
			nested("undone", true);
			Object savepoint = status.createSavepoint();
			schedule("c");
			nested("d", false);
			status.rollbackToSavepoint(savepoint);
			schedule("e");
			status.rollbackToSavepoint(savepoint);
			schedule("after");
		});
		assertThat(this.recorded.calls).containsExactly("schedule [before]", "schedule [kept]", "schedule [after]");
	}

	@Test
	void whatIsScheduledByOthersAfterTheCommitIsNotLost() {
		this.transaction.executeWithoutResult((status) -> afterCommit(() -> schedule("first")));
		assertThat(this.recorded.calls).containsExactly("schedule [first]");
		this.transaction.executeWithoutResult((status) -> {
			schedule("second");
			afterCommit(() -> schedule("third"));
		});
		assertThat(this.recorded.calls).containsExactly("schedule [first]", "schedule [second]", "schedule [third]");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whatIsDoneByOthersAfterTheEndIsDoneAtOnce(boolean rollback) {
		this.transaction.executeWithoutResult((status) -> {
			schedule("first");
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int end) {
					assertThat(schedule("second")).containsExactly(ScheduleOutcome.CREATED);
					assertThat(AfterCommitTaskStoreTests.this.store.cancel(QUEUE, "second")).isTrue();
				}

			});
			if (rollback) {
				status.setRollbackOnly();
			}
		});
		assertThat(this.recorded.calls.subList(rollback ? 0 : 1, this.recorded.calls.size()))
			.containsExactly("schedule [second]", "cancel second");
	}

	@Test
	void failureAfterTheCommitIsThrownAndTold() {
		this.recorded.failWith = () -> new DelayQueueException(QUEUE, null, "Memory is full");
		assertThatExceptionOfType(AfterCommitException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				schedule("a", "b");
				schedule("c");
			}))
			.withMessage("The transaction has committed, but 2 of the 2 steps after the commit have failed, the "
					+ "first on queue 'order_timeout', tasks [a, b]: Memory is full")
			.satisfies((ex) -> {
				assertThat(ex.getQueue()).isEqualTo(QUEUE);
				assertThat(ex.getTaskId()).isEqualTo("a");
				assertThat(ex.getTaskIds()).containsExactly("a", "b");
				assertThat(ex.getSuppressed()).hasSize(1);
			});
		assertThat(this.events.events()).containsExactly("schedule order_timeout 0 Memory is full",
				"schedule order_timeout 0 Memory is full");
		assertThat(this.recorded.calls).containsExactly("schedule [a, b]", "schedule [c]");
	}

	@Test
	void stepsThatDoNotFailAreCarriedOutAllTheSame() {
		this.recorded.failWith = () -> new DelayQueueException(QUEUE, null, "Memory is full");
		this.recorded.failsOn = "schedule [a]";
		assertThatExceptionOfType(AfterCommitException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				schedule("a");
				schedule("b");
			}))
			.withMessageContaining("1 of the 2 steps");
		assertThat(this.recorded.find(QUEUE, "b")).isPresent();
	}

	@Test
	void storeThatIsNotAvailableIsTriedOnce() {
		this.recorded.failWith = () -> new StoreUnavailableException(QUEUE, null, "Redis is away", null);
		assertThatExceptionOfType(AfterCommitException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				schedule("a");
				schedule("b");
				schedule("c");
			}))
			.withMessageContaining("3 of the 3 steps")
			.withCauseInstanceOf(StoreUnavailableException.class);
		assertThat(this.recorded.calls).containsExactly("schedule [a]");
		assertThat(this.events.events()).hasSize(3);
	}

	@Test
	void replicasAreWaitedForAfterTheCommit() {
		this.recorded.doubt = new ScheduleReply.Doubt(1, 2, null);
		assertThatExceptionOfType(AfterCommitException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				ScheduleReply reply = this.store.schedule(QUEUE, List.of(task("a")), ScheduleOptions.CONFIRMED);
				assertThat(reply.doubt()).isNull();
				assertThat(reply.outcomes()).containsExactly(ScheduleOutcome.DEFERRED);
				assertThat(this.recorded.calls).isEmpty();
			}))
			.withMessageContaining("Only 1 of 2 replicas");
		assertThat(this.recorded.calls).containsExactly("schedule [a] confirmed");
		assertThat(this.recorded.find(QUEUE, "a")).isPresent();
	}

	private TransactionTemplate with(int propagation) {
		TransactionTemplate template = new TransactionTemplate(this.transaction.getTransactionManager());
		template.setPropagationBehavior(propagation);
		return template;
	}

	private void nested(String id, boolean undo) {
		with(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult((TransactionStatus status) -> {
			schedule(id);
			if (undo) {
				status.setRollbackOnly();
			}
		});
	}

	private static void afterCommit(Runnable action) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				action.run();
			}

		});
	}

	private void pass(Duration time) {
		this.nanoTime.addAndGet(time.toNanos());
		this.clock.advance(time);
	}

	private List<ScheduleOutcome> schedule(String... ids) {
		return this.store.schedule(QUEUE, Arrays.stream(ids).map(AfterCommitTaskStoreTests::task).toList());
	}

	private List<ScheduleOutcome> reject(String... ids) {
		return this.store.schedule(QUEUE,
				Arrays.stream(ids).map((id) -> task(id, DueTime.in(Duration.ofHours(1)), Replacement.REJECT)).toList());
	}

	private static NewTask task(String id) {
		return task(id, DueTime.in(Duration.ofHours(1)), Replacement.REPLACE);
	}

	private static NewTask task(String id, DueTime due, Replacement onDuplicate) {
		return new NewTask(id, "{\"v\":1}".getBytes(StandardCharsets.UTF_8), due, TaskPriority.NORMAL, onDuplicate);
	}

	private TaskState state(String id) {
		return stored(id).state();
	}

	private @Nullable Instant due(String id) {
		return stored(id).dueAt();
	}

	private StoredTask stored(String id) {
		return this.recorded.find(QUEUE, id).orElseThrow();
	}

	/**
	 * Notes what reaches the store, and fails where it is to fail.
	 */
	private static final class Recorded extends WholeStore {

		private final List<String> calls = new ArrayList<>();

		private @Nullable Supplier<RuntimeException> failWith;

		private @Nullable String failsOn;

		private ScheduleReply.@Nullable Doubt doubt;

		private int looks;

		Recorded(TaskStore delegate) {
			super(delegate);
		}

		private void call(String call) {
			this.calls.add(call);
			if (this.failWith != null && (this.failsOn == null || this.failsOn.equals(call))) {
				throw this.failWith.get();
			}
		}

		private static List<String> ids(List<NewTask> tasks) {
			return tasks.stream().map(NewTask::id).toList();
		}

		@Override
		public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
			call("schedule " + ids(tasks) + (options.confirmed() ? " confirmed" : ""));
			ScheduleReply reply = super.scheduleAhead(queue, tasks, options).get();
			return new ScheduleReply(reply.outcomes(), this.doubt);
		}

		@Override
		public boolean cancel(String queue, String taskId, Condition condition) {
			call("cancel " + taskId);
			return super.cancel(queue, taskId, condition);
		}

		@Override
		public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
			call("reschedule " + taskId);
			return super.reschedule(queue, taskId, due, condition);
		}

		@Override
		public Optional<StoredTask> find(String queue, String taskId) {
			this.looks++;
			return super.find(queue, taskId);
		}

	}

}
