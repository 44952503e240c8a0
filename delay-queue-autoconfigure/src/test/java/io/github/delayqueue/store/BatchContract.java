package io.github.delayqueue.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * An id that occurs twice in one batch is seen twice; the largest batch is taken.
 */
interface BatchContract extends TaskStoreFixture {

	@Test
	default void idTwiceInOneScheduleIsReplacedByTheLaterEntry() {
		assertThat(schedule(task("a", TaskPriority.HIGH, Duration.ZERO), task("b", Duration.ZERO),
				task("a", TaskPriority.LOW, SECOND)))
			.containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED);
		assertThat(found("a").priority()).isEqualTo(TaskPriority.LOW);
		assertThat(found("a").dueAt()).isEqualTo(now().plus(SECOND));
		assertThat(stats().scheduled()).isEqualTo(2);
		assertThat(totals().scheduled()).isEqualTo(3);
		assertThat(totals().replaced()).isOne();
		assertThat(ids(claim("t1"))).containsExactly("b");
	}

	@Test
	default void idTwiceInOneScheduleIsRejectedTheSecondTime() {
		assertThat(schedule(rejecting("a", "first"), rejecting("a", "second"))).containsExactly(ScheduleOutcome.CREATED,
				ScheduleOutcome.REJECTED);
		assertThat(found("a").envelope()).isEqualTo(bytes("first"));
		assertThat(totals().scheduled()).isOne();
	}

	@Test
	default void idInOneScheduleIsRejectedReplacedAndRejected() {
		completeAndKeep("a");
		assertThat(schedule(rejecting("a", "first"), task("a", SECOND), rejecting("a", "third"), task("a", SECOND)))
			.containsExactly(ScheduleOutcome.REJECTED, ScheduleOutcome.REPLACED, ScheduleOutcome.REJECTED,
					ScheduleOutcome.REPLACED);
		assertThat(found("a").envelope()).isEqualTo(bytes("a"));
		assertThat(totals().scheduled()).isEqualTo(3);
		// the first replacement was that of a completed task
		assertThat(totals().replaced()).isOne();
	}

	@Test
	default void schedulingThatMayWaitForReplicasSchedulesAlike() {
		scheduleDue("a");
		ScheduleReply reply = store().schedule(queue(),
				List.of(task("a", SECOND), rejecting("b", "first"), rejecting("b", "second")),
				ScheduleOptions.replicated(0));
		assertThat(reply.outcomes()).containsExactly(ScheduleOutcome.REPLACED, ScheduleOutcome.CREATED,
				ScheduleOutcome.REJECTED);
		assertThat(reply.error()).isNull();
		assertThat(found("a").dueAt()).isEqualTo(now().plus(SECOND));
		assertThat(found("b").envelope()).isEqualTo(bytes("first"));
		assertThat(totals().scheduled()).isEqualTo(3);
		assertThat(store().schedule(queue(), List.of(), ScheduleOptions.replicated(3)))
			.isEqualTo(new ScheduleReply(List.of(), 3, null));
	}

	@Test
	default void tasksSentAheadAreScheduledInTheOrderOfSending() {
		// else the step may be refused once, by a server that does not have its script
		schedule(generated("before"));
		Supplier<ScheduleReply> first = store().scheduleAhead(queue(),
				List.of(generated("new"), generated("other", SECOND)), ScheduleOptions.NONE);
		Supplier<ScheduleReply> second = store().scheduleAhead(queue(),
				List.of(task("new", SECOND), rejecting("other", "rejected")), ScheduleOptions.NONE);
		assertThat(first.get().outcomes()).containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED);
		assertThat(second.get().outcomes()).containsExactly(ScheduleOutcome.REPLACED, ScheduleOutcome.REJECTED);
		assertThat(found("new").dueAt()).isEqualTo(now().plus(SECOND));
		assertThat(totals().scheduled()).isEqualTo(4);
		assertThat(store().scheduleAhead(queue(), List.of(), ScheduleOptions.NONE).get().outcomes()).isEmpty();
	}

	@Test
	default void newTasksOfOneCallMayBeDueAtDifferentTimes() {
		assertThat(schedule(generated("later", SECOND), generated("now"), generated("last", SECOND.multipliedBy(2))))
			.containsOnly(ScheduleOutcome.CREATED);
		assertThat(found("later").dueAt()).isEqualTo(now().plus(SECOND));
		assertThat(found("last").dueAt()).isEqualTo(now().plus(SECOND).plus(SECOND));
		assertThat(ids(claim("t1"))).containsExactly("now");
	}

	@Test
	default void newTasksThatAreKnownAllTheSameAreScheduledOnce() {
		scheduleDue("a", "b");
		claim("t1", 1);
		schedule(generated("a", SECOND), generated("b", SECOND), generated("c", SECOND));
		assertThat(stats().inFlight()).isZero();
		assertThat(stats().scheduled()).isEqualTo(3);
		assertThat(found("a").dueAt()).isEqualTo(now().plus(SECOND));
		assertThat(store().settle(queue(), List.of(Settlement.complete("a", "t1", false)))).containsExactly(false);
	}

	private static NewTask generated(String id) {
		return generated(id, Duration.ZERO);
	}

	private static NewTask generated(String id, Duration delay) {
		return new NewTask(id, bytes(id), DueTime.in(delay), TaskPriority.NORMAL, DuplicatePolicy.REPLACE, true);
	}

	@Test
	default void secondSettlementOfAnIdInOneBatchIsStale() {
		scheduleDue("a", "b");
		claim("t1");
		assertThat(store().settle(queue(),
				List.of(Settlement.retry("a", "t1", Duration.ZERO, bytes("failed")),
						Settlement.complete("a", "t1", true), Settlement.complete("b", "t1", false),
						Settlement.bury("b", "t1", true, bytes("fatal")))))
			.containsExactly(true, false, true, false);
		assertThat(found("a").state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(found("a").failure()).isEqualTo(bytes("failed"));
		assertThat(store().find(queue(), "b")).isEmpty();
		assertThat(totals().stale()).isEqualTo(2);
		assertThat(totals().completed()).isOne();
		assertThat(totals().buried()).isZero();
	}

	@Test
	default void settlementWithTheRightTokenIsAppliedAfterAWrongOneInTheSameBatch() {
		scheduleDue("a");
		claim("t1");
		assertThat(store().settle(queue(),
				List.of(Settlement.bury("a", "wrong", true, null), Settlement.complete("a", "t1", false))))
			.containsExactly(false, true);
		assertThat(store().find(queue(), "a")).isEmpty();
	}

	@Test
	default void laterExtensionOfAnIdInOneBatchCounts() {
		scheduleDue("a");
		claim("t1");
		assertThat(store().extend(queue(), List.of(new Extension("a", "t1", Duration.ofMinutes(5)),
				new Extension("a", "wrong", Duration.ZERO), new Extension("a", "t1", Duration.ofMinutes(1)))))
			.containsExactly(true, false, true);
		assertThat(found("a").at()).isEqualTo(now().plus(Duration.ofMinutes(1)));
		assertThat(totals().stale()).isZero();
	}

	@Test
	default void idTwiceInOneRedriveIsScheduledOnce() {
		bury("a", "b");
		assertThat(store().redrive(queue(), List.of("a", "unknown", "a", "b"))).containsExactly(true, false, false,
				true);
		assertThat(listed(TaskState.SCHEDULED)).containsExactlyInAnyOrder("a", "b");
		assertThat(totals().redriven()).isEqualTo(2);
	}

	@Test
	default void emptyBatchChangesNothing() {
		scheduleDue("a");
		assertThat(store().schedule(queue(), List.of())).isEmpty();
		assertThat(store().settle(queue(), List.of())).isEmpty();
		assertThat(store().extend(queue(), List.of())).isEmpty();
		assertThat(store().redrive(queue(), List.of())).isEmpty();
		assertThat(stats().scheduled()).isOne();
		assertThat(totals().stale()).isZero();
	}

	@Test
	default void largestBatchGoesThroughEveryStep() {
		List<String> ids = IntStream.range(0, TaskStore.MAX_BATCH).mapToObj((i) -> "task-%03d".formatted(i)).toList();
		List<NewTask> tasks = new ArrayList<>();
		ids.forEach((id) -> tasks.add(task(id, Duration.ZERO)));
		assertThat(store().schedule(queue(), tasks)).hasSize(TaskStore.MAX_BATCH).containsOnly(ScheduleOutcome.CREATED);
		assertThat(ids(claim("t1", TaskStore.MAX_BATCH))).isEqualTo(ids);
		assertThat(store().extend(queue(), ids.stream().map((id) -> new Extension(id, "t1", TTR)).toList()))
			.containsOnly(true);
		assertThat(store().settle(queue(),
				ids.stream().map((id) -> Settlement.bury(id, "t1", true, bytes("failure"))).toList()))
			.containsOnly(true);
		assertThat(listed(TaskState.DEAD)).isEqualTo(ids);
		assertThat(store().redrive(queue(), ids)).containsOnly(true);
		assertThat(store().schedule(queue(), tasks)).containsOnly(ScheduleOutcome.REPLACED);
		assertThat(stats().scheduled()).isEqualTo(TaskStore.MAX_BATCH);
		assertThat(totals().replaced()).isEqualTo(TaskStore.MAX_BATCH);
	}

	@Test
	default void largerBatchIsRefusedAndChangesNothing() {
		int size = TaskStore.MAX_BATCH + 1;
		List<NewTask> tasks = Collections.nCopies(size, task("new", SECOND));
		List<Settlement> settlements = Collections.nCopies(size, Settlement.complete("held", "t1", false));
		List<Extension> extensions = Collections.nCopies(size, new Extension("held", "t1", TTR));
		scheduleDue("held");
		claim("t1");
		assertRefused(() -> store().schedule(queue(), tasks));
		assertRefused(() -> store().settle(queue(), settlements));
		assertRefused(() -> store().extend(queue(), extensions));
		assertRefused(() -> store().redrive(queue(), Collections.nCopies(size, "dead")));
		assertThat(listed(TaskState.SCHEDULED)).isEmpty();
		assertThat(listed(TaskState.IN_FLIGHT)).containsExactly("held");
		assertThat(totals().stale()).isZero();
	}

	@Test
	default void limitBelowOneOrBeyondTheLargestBatchIsRefusedAndChangesNothing() {
		bury("dead");
		scheduleDue("due");
		for (int limit : new int[] { -1, 0, TaskStore.MAX_BATCH + 1, Integer.MAX_VALUE }) {
			assertRefused(() -> claim("t1", limit));
			assertRefused(() -> store().purge(queue(), TaskState.DEAD, limit));
			assertRefused(() -> store().list(queue(), TaskState.SCHEDULED, 0, limit));
		}
		assertThat(listed(TaskState.SCHEDULED)).containsExactly("due");
		assertThat(listed(TaskState.DEAD)).containsExactly("dead");
	}

	private static void assertRefused(ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call)
			.withMessageContaining(String.valueOf(TaskStore.MAX_BATCH));
	}

	private static NewTask rejecting(String id, String envelope) {
		return new NewTask(id, bytes(envelope), DueTime.in(Duration.ZERO), TaskPriority.NORMAL, DuplicatePolicy.REJECT);
	}

}
