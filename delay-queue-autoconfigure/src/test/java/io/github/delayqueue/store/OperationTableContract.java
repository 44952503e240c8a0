package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.store.Settlement.Action;

import static io.github.delayqueue.store.Situation.FAILURE;
import static io.github.delayqueue.store.Situation.OLD_ENVELOPE;
import static io.github.delayqueue.store.Situation.TASK;
import static io.github.delayqueue.store.Situation.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every cell of the table of operations: what an operation does to a task in each state.
 */
interface OperationTableContract extends TaskStoreFixture {

	@ParameterizedTest
	@EnumSource
	default void scheduleWithReplaceTakesTheIdInEveryState(Situation situation) {
		situation.arrange(this);
		byte[] envelope = Tasks.bytes("new");

		List<ScheduleOutcome> outcomes = schedule(new NewTask(TASK, envelope, DueTime.in(Duration.ofMinutes(5)),
				TaskPriority.LOW, DuplicatePolicy.REPLACE));

		assertThat(outcomes).containsExactly(situation.isKnown() ? ScheduleOutcome.REPLACED : ScheduleOutcome.CREATED);
		StoredTask task = found(TASK);
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isEqualTo(task.at()).isEqualTo(now().plus(Duration.ofMinutes(5)));
		assertThat(task.priority()).isEqualTo(TaskPriority.LOW);
		assertThat(task.envelope()).isEqualTo(envelope);
		assertThat(task.failures()).isZero();
		assertThat(task.expiries()).isZero();
		assertThat(task.failure()).isNull();
		assertThat(stats().retrying()).isZero();
		assertThat(settle(Settlement.complete(TASK, TOKEN, false))).as("settled the delivery of the old task")
			.isFalse();
		assertThat(totals().scheduled()).isEqualTo(situation.isKnown() ? 2 : 1);
		// a completed task is counted as completed
		boolean unfinished = situation.isKnown() && situation != Situation.COMPLETED;
		assertThat(totals().replaced()).isEqualTo(unfinished ? 1 : 0);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
	default void scheduleWithRejectChangesNothingWhereTheIdIsKnown(Situation situation) {
		situation.arrange(this);
		unchanged(() -> assertThat(scheduleRejecting()).containsExactly(ScheduleOutcome.REJECTED));
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = "UNKNOWN")
	default void scheduleWithRejectCreatesAnUnknownTask(Situation situation) {
		situation.arrange(this);
		assertThat(scheduleRejecting()).containsExactly(ScheduleOutcome.CREATED);
		assertThat(found(TASK).state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(totals().scheduled()).isOne();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = { "SCHEDULED", "IN_FLIGHT" })
	default void cancelRemovesWhatIsNotFinished(Situation situation) {
		situation.arrange(this);
		assertThat(store().cancel(queue(), TASK)).isTrue();
		assertThat(store().find(queue(), TASK)).isEmpty();
		assertThat(totals().cancelled()).isOne();
		assertThat(settle(Settlement.complete(TASK, TOKEN, false))).as("settled the delivery of a cancelled task")
			.isFalse();
		advance(Duration.ofHours(1));
		assertThat(claim("later").tasks()).isEmpty();
		assertThat(store().cancel(queue(), TASK)).as("cancelled again").isFalse();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "SCHEDULED", "IN_FLIGHT" })
	default void cancelLeavesWhatIsFinishedOrUnknown(Situation situation) {
		situation.arrange(this);
		unchanged(() -> assertThat(store().cancel(queue(), TASK)).isFalse());
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = "SCHEDULED")
	default void rescheduleMovesAScheduledTaskAndKeepsTheRest(Situation situation) {
		situation.arrange(this);
		assertThat(store().reschedule(queue(), TASK, DueTime.in(Duration.ofDays(1)))).isTrue();
		StoredTask task = found(TASK);
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isEqualTo(task.at()).isEqualTo(now().plus(Duration.ofDays(1)));
		assertKept(task, 1);
		assertThat(stats().retrying()).isOne();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "SCHEDULED")
	default void rescheduleLeavesWhatIsNotScheduled(Situation situation) {
		situation.arrange(this);
		unchanged(() -> assertThat(store().reschedule(queue(), TASK, DueTime.in(Duration.ofDays(1)))).isFalse());
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = "DEAD")
	default void redriveSchedulesADeadTaskNowWithCountsOfZero(Situation situation) {
		situation.arrange(this);
		advance(SECOND);
		assertThat(store().redrive(queue(), List.of(TASK))).containsExactly(true);
		StoredTask task = found(TASK);
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isEqualTo(task.at()).isEqualTo(now());
		assertKept(task, 0);
		assertThat(stats().retrying()).isZero();
		assertThat(totals().redriven()).isOne();
		ClaimedRecord claimed = claim("later").tasks().get(0);
		assertThat(claimed.failures()).isZero();
		assertThat(claimed.priority()).isEqualTo(TaskPriority.HIGH);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DEAD")
	default void redriveLeavesWhatIsNotDead(Situation situation) {
		situation.arrange(this);
		unchanged(() -> assertThat(store().redrive(queue(), List.of(TASK))).containsExactly(false));
	}

	@ParameterizedTest
	@EnumSource
	default void settlementWithTheRightTokenIsAppliedInFlightAlsoAfterTheDeadline(Action action) {
		Situation.IN_FLIGHT.arrange(this);
		advance(TTR.plusSeconds(1));
		assertThat(settle(settlement(action, TOKEN))).isTrue();
		Optional<TaskState> expected = switch (action) {
			case COMPLETE, DROP -> Optional.empty();
			case COMPLETE_AND_KEEP -> Optional.of(TaskState.COMPLETED);
			case RETRY, RELEASE, REPEAT, SKIP -> Optional.of(TaskState.SCHEDULED);
			case BURY -> Optional.of(TaskState.DEAD);
		};
		assertThat(store().find(queue(), TASK).map(StoredTask::state)).isEqualTo(expected);
		assertThat(stats().inFlight()).isZero();
		assertThat(totals().stale()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "IN_FLIGHT")
	default void settlementIsStaleWhereNothingIsInFlight(Situation situation) {
		situation.arrange(this);
		for (Action action : Action.values()) {
			stale(() -> assertThat(settle(settlement(action, TOKEN))).as(action.name()).isFalse());
		}
	}

	@ParameterizedTest
	@EnumSource
	default void settlementWithAnotherTokenIsStaleInFlight(Action action) {
		Situation.IN_FLIGHT.arrange(this);
		stale(() -> assertThat(settle(settlement(action, "wrong"))).isFalse());
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = "IN_FLIGHT")
	default void extensionWithTheRightTokenIsAppliedInFlightAlsoAfterTheDeadline(Situation situation) {
		situation.arrange(this);
		advance(TTR.plusSeconds(1));
		assertThat(extend(TASK, TOKEN, Duration.ofMinutes(2))).isTrue();
		assertThat(found(TASK).at()).isEqualTo(now().plus(Duration.ofMinutes(2)));
		assertThat(claim("other").tasks()).isEmpty();
		assertThat(totals().stale()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "IN_FLIGHT")
	default void extensionIsStaleWhereNothingIsInFlight(Situation situation) {
		situation.arrange(this);
		unchanged(() -> assertThat(extend(TASK, TOKEN, TTR)).isFalse());
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = "IN_FLIGHT")
	default void extensionWithAnotherTokenIsStaleInFlight(Situation situation) {
		situation.arrange(this);
		advance(SECOND);
		unchanged(() -> assertThat(extend(TASK, "wrong", TTR)).isFalse());
	}

	private List<ScheduleOutcome> scheduleRejecting() {
		return schedule(new NewTask(TASK, Tasks.bytes("new"), DueTime.in(Duration.ZERO), TaskPriority.LOW,
				DuplicatePolicy.REJECT));
	}

	private Settlement settlement(Action action, String token) {
		boolean failed = action == Action.RETRY || action == Action.BURY;
		return new Settlement(TASK, token, action, failed, (action == Action.RETRY) ? SECOND : null,
				failed ? Tasks.bytes("failed again") : null,
				(action == Action.REPEAT || action == Action.SKIP) ? now().plus(SECOND) : null);
	}

	private void assertKept(StoredTask task, int failures) {
		assertThat(task.envelope()).isEqualTo(OLD_ENVELOPE);
		assertThat(task.priority()).isEqualTo(TaskPriority.HIGH);
		assertThat(task.failures()).isEqualTo(failures);
		assertThat(task.failure()).isEqualTo(FAILURE);
	}

	private void unchanged(Runnable operation) {
		Optional<StoredTask> before = store().find(queue(), TASK);
		Object statsBefore = stats();
		operation.run();
		assertThat(store().find(queue(), TASK)).usingRecursiveComparison().isEqualTo(before);
		assertThat(stats()).isEqualTo(statsBefore);
	}

	private void stale(Runnable operation) {
		Optional<StoredTask> before = store().find(queue(), TASK);
		long staleBefore = totals().stale();
		operation.run();
		assertThat(store().find(queue(), TASK)).usingRecursiveComparison().isEqualTo(before);
		assertThat(totals().stale()).isEqualTo(staleBefore + 1);
	}

}
