package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Settlement.Action;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the end of a delivery leaves behind, and when it comes too late.
 */
interface SettlementContract extends TaskStoreFixture {

	@Test
	default void completedTaskIsForgotten() {
		scheduleDue("a");
		claim("t1");
		assertThat(settle(Settlement.complete("a", "t1", false))).isTrue();
		assertThat(store().find(queue(), "a")).isEmpty();
		assertThat(stats().completed()).isZero();
		assertThat(totals().completed()).isOne();
		assertThat(schedule(task("a", Duration.ZERO))).containsExactly(ScheduleOutcome.CREATED);
	}

	@Test
	default void completedTaskThatIsKeptShowsItsDeliveriesButNoFailure() {
		scheduleDue("a");
		claim("t1");
		settle(Settlement.retry("a", "t1", SECOND, bytes("failed")));
		advance(SECOND);
		claim("t2");
		advance(SECOND);
		assertThat(settle(Settlement.complete("a", "t2", true))).isTrue();
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.COMPLETED);
		assertThat(task.at()).isEqualTo(now());
		assertThat(task.dueAt()).isEqualTo(now().minus(SECOND));
		assertThat(task.failures()).isOne();
		assertThat(task.failure()).isNull();
		assertThat(task.envelope()).isEqualTo(bytes("a"));
		assertThat(stats().completed()).isOne();
		assertThat(totals().completed()).isOne();
	}

	@Test
	default void retriedTaskIsDueAfterTheDelayWithOneMoreFailure() {
		scheduleDue("a");
		claim("t1");
		advance(SECOND);
		assertThat(settle(Settlement.retry("a", "t1", Duration.ofSeconds(10), bytes("failed")))).isTrue();
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isEqualTo(task.at()).isEqualTo(now().plusSeconds(10));
		assertThat(task.failures()).isOne();
		assertThat(task.expiries()).isZero();
		assertThat(task.failure()).isEqualTo(bytes("failed"));
		assertThat(stats().retrying()).isOne();
		assertThat(totals().retried()).isOne();
		advance(Duration.ofSeconds(10));
		ClaimedRecord claimed = claim("t2").tasks().get(0);
		assertThat(claimed.failures()).isOne();
		assertThat(claimed.dueAt()).isEqualTo(now());
	}

	@Test
	default void retriedTaskKeepsItsLastFailureUntilAnotherOneIsGiven() {
		scheduleDue("a");
		claim("t1");
		settle(Settlement.retry("a", "t1", Duration.ZERO, bytes("first")));
		claim("t2");
		assertThat(found("a").failure()).isEqualTo(bytes("first"));
		settle(Settlement.retry("a", "t2", Duration.ZERO, null));
		assertThat(found("a").failure()).isEqualTo(bytes("first"));
		claim("t3");
		settle(Settlement.retry("a", "t3", Duration.ZERO, bytes("third")));
		assertThat(found("a").failure()).isEqualTo(bytes("third"));
		assertThat(found("a").failures()).isEqualTo(3);
	}

	@Test
	default void retryThatDoesNotCountLeavesTheFailures() {
		scheduleDue("a");
		claim("t1");
		settle(new Settlement("a", "t1", Action.RETRY, false, SECOND, null));
		assertThat(found("a").failures()).isZero();
		assertThat(found("a").dueAt()).isEqualTo(now().plus(SECOND));
		assertThat(totals().retried()).isOne();
	}

	@Test
	default void retryWithoutDelayIsDueNow() {
		scheduleDue("a");
		advance(SECOND);
		claim("t1");
		settle(Settlement.retry("a", "t1", Duration.ofSeconds(-5), null));
		assertThat(found("a").dueAt()).isEqualTo(now());
		assertThat(ids(claim("t2"))).containsExactly("a");
	}

	@Test
	default void buriedTaskIsDeadWithEnvelopeCountsAndFailure() {
		scheduleDue("a", "b");
		claim("t1");
		advance(SECOND);
		assertThat(settle(Settlement.bury("a", "t1", true, bytes("fatal")))).isTrue();
		assertThat(settle(Settlement.bury("b", "t1", false, null))).isTrue();
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.DEAD);
		assertThat(task.at()).isEqualTo(now());
		assertThat(task.dueAt()).isEqualTo(START);
		assertThat(task.failures()).isOne();
		assertThat(task.failure()).isEqualTo(bytes("fatal"));
		assertThat(task.envelope()).isEqualTo(bytes("a"));
		assertThat(found("b").failures()).isZero();
		assertThat(found("b").failure()).isNull();
		assertThat(stats().dead()).isEqualTo(2);
		assertThat(totals().buried()).isEqualTo(2);
		advance(Duration.ofDays(365));
		assertThat(claim("t2").tasks()).isEmpty();
	}

	@Test
	default void releasedTaskHasItsOldDueTimeAndNoCharge() {
		scheduleDue("a");
		advance(SECOND);
		claim("t1");
		advance(SECOND);
		assertThat(settle(Settlement.release("a", "t1", null))).isTrue();
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isEqualTo(task.at()).isEqualTo(START);
		assertThat(task.failures()).isZero();
		assertThat(task.expiries()).isZero();
		assertThat(stats().retrying()).as("tasks delivered before").isZero();
		assertThat(stats().oldestDueAge()).isEqualTo(Duration.ofSeconds(2));
		assertThat(claim("t2").tasks().get(0).dueAt()).isEqualTo(START);
	}

	@Test
	default void releasedTaskIsDueAfterTheDelay() {
		scheduleDue("a");
		claim("t1");
		advance(SECOND);
		settle(Settlement.release("a", "t1", Duration.ofSeconds(10)));
		assertThat(found("a").dueAt()).isEqualTo(now().plusSeconds(10));
		assertThat(claim("t2").tasks()).isEmpty();
	}

	@Test
	default void releasedTaskKeepsWhatWasChargedBefore() {
		scheduleDue("a");
		claim("t1");
		settle(Settlement.retry("a", "t1", SECOND, bytes("failed")));
		advance(SECOND);
		claim("t2");
		advance(TTR);
		claim("t3");
		settle(Settlement.release("a", "t3", null));
		StoredTask task = found("a");
		assertThat(task.dueAt()).isEqualTo(START.plus(SECOND));
		assertThat(task.failures()).isOne();
		assertThat(task.expiries()).isOne();
		assertThat(task.failure()).isEqualTo(bytes("failed"));
		assertThat(stats().retrying()).isOne();
	}

	@Test
	default void settlementIsStaleOnceTheTaskWasClaimedAgain() {
		scheduleDue("a");
		claim("t1");
		advance(TTR);
		assertThat(ids(claim("t2"))).containsExactly("a");
		assertThat(settle(Settlement.complete("a", "t1", false))).isFalse();
		assertThat(extend("a", "t1", TTR)).isFalse();
		assertThat(totals().stale()).as("answers, not extensions").isOne();
		assertThat(settle(Settlement.complete("a", "t2", false))).isTrue();
	}

	@Test
	default void claimReplaceClaimWithinOneMillisecondLeavesOnlyTheLastTokenValid() {
		scheduleDue("a");
		claim("t1");
		schedule(task("a", Duration.ZERO));
		assertThat(ids(claim("t2"))).containsExactly("a");
		assertThat(extend("a", "t1", TTR)).isFalse();
		assertThat(settle(Settlement.complete("a", "t1", false))).isFalse();
		assertThat(found("a").state()).isEqualTo(TaskState.IN_FLIGHT);
		assertThat(settle(Settlement.complete("a", "t2", false))).isTrue();
		assertThat(totals().replaced()).isOne();
	}

	@Test
	default void repeatedSettlementIsStale() {
		scheduleDue("a");
		claim("t1");
		assertThat(settle(Settlement.complete("a", "t1", true))).isTrue();
		assertThat(settle(Settlement.complete("a", "t1", true))).isFalse();
		assertThat(totals().completed()).isOne();
		assertThat(totals().stale()).isOne();
	}

	@Test
	default void repeatedTaskIsScheduledForItsNextTimeWithCountsOfZeroAndNoFailure() {
		schedule(task("a", TaskPriority.HIGH, Duration.ZERO));
		claim("t1");
		settle(Settlement.retry("a", "t1", SECOND, bytes("failed")));
		advance(SECOND);
		claim("t2");
		advance(TTR);
		claim("t3");
		Instant next = now().plusSeconds(100);
		assertThat(settle(Settlement.repeat("a", "t3", next))).isTrue();
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isEqualTo(task.at()).isEqualTo(next);
		assertThat(task.priority()).isEqualTo(TaskPriority.HIGH);
		assertThat(task.failures()).isZero();
		assertThat(task.expiries()).isZero();
		assertThat(task.failure()).isNull();
		assertThat(task.envelope()).isEqualTo(bytes("a"));
		assertThat(stats().retrying()).isZero();
		advance(Duration.ofSeconds(100).minusMillis(1));
		assertThat(claim("t4").tasks()).isEmpty();
		advance(Duration.ofMillis(1));
		assertThat(claim("t5").tasks().get(0).dueAt()).isEqualTo(next);
	}

	@Test
	default void taskThatIsHandledAndIsToComeAgainIsDueAfterTheDelayAsIfItWasNew() {
		schedule(task("a", TaskPriority.HIGH, Duration.ZERO));
		claim("t1");
		settle(Settlement.retry("a", "t1", SECOND, bytes("failed")));
		advance(SECOND);
		claim("t2");
		advance(TTR.plusNanos(1000));
		claim("t3");
		assertThat(settle(Settlement.again("a", "t3", SECOND))).isTrue();
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).as("never early").isEqualTo(now().plusNanos(999_000).plus(SECOND));
		assertThat(task.priority()).isEqualTo(TaskPriority.HIGH);
		assertThat(task.failures()).isZero();
		assertThat(task.expiries()).isZero();
		assertThat(task.failure()).isNull();
		assertThat(totals().completed()).isOne();
		assertThat(totals().scheduled()).isEqualTo(2);
		assertThat(settle(Settlement.again("a", "t3", SECOND))).as("once").isFalse();
		advance(SECOND.multipliedBy(2));
		assertThat(claim("t4").tasks().get(0).failures()).isZero();
		assertThat(settle(Settlement.again("a", "t4", Duration.ZERO))).isTrue();
		assertThat(claim("t5").tasks()).hasSize(1);
		settle(Settlement.again("a", "t5", Duration.ofSeconds(Long.MAX_VALUE)));
		assertThat(found("a").dueAt()).isEqualTo(Instant.ofEpochMilli(DueTime.MAX_EPOCH_MILLIS));
	}

	@Test
	default void repeatedTaskCountsAsCompletedAndAsScheduled() {
		scheduleDue("a");
		claim("t1");
		settle(Settlement.repeat("a", "t1", now()));
		claim("t2");
		settle(Settlement.repeat("a", "t2", now()));
		assertThat(totals().completed()).isEqualTo(2);
		assertThat(totals().scheduled()).isEqualTo(3);
		assertThat(stats().completed()).isZero();
		TotalsIdentity.check(stats());
	}

	@Test
	default void repeatedTaskWhoseNextTimeIsPastKeepsItAndIsDue() {
		scheduleDue("a");
		advance(SECOND);
		claim("t1");
		settle(Settlement.repeat("a", "t1", START.plusMillis(3)));
		assertThat(found("a").dueAt()).isEqualTo(START.plusMillis(3));
		assertThat(claim("t2").tasks().get(0).dueAt()).isEqualTo(START.plusMillis(3));
	}

	@Test
	default void skippedTaskKeepsLostLeasesAndFailureAndIsNotCounted() {
		scheduleDue("a");
		claim("t1");
		settle(Settlement.retry("a", "t1", Duration.ZERO, bytes("failed")));
		claim("t2");
		advance(TTR);
		claim("t3");
		Instant next = now().plusSeconds(1);
		assertThat(settle(Settlement.skip("a", "t3", false, null, next))).isTrue();
		StoredTask task = found("a");
		assertThat(task.dueAt()).isEqualTo(next);
		assertThat(task.failures()).isZero();
		assertThat(task.expiries()).isOne();
		assertThat(task.failure()).isEqualTo(bytes("failed"));
		assertThat(totals().completed()).isZero();
		assertThat(totals().scheduled()).isOne();
		assertThat(totals().retried()).isOne();
		TotalsIdentity.check(stats());
	}

	@Test
	default void runThatIsGivenUpHasItsFailureAndCountsOfZero() {
		scheduleDue("a");
		claim("t1");
		advance(TTR);
		claim("t2");
		Instant next = now().plusSeconds(1);
		assertThat(settle(Settlement.skip("a", "t2", true, bytes("fatal"), next))).isTrue();
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isEqualTo(next);
		assertThat(task.failures()).isZero();
		assertThat(task.expiries()).isZero();
		assertThat(task.failure()).isEqualTo(bytes("fatal"));
		assertThat(totals().retried()).isOne();
		assertThat(totals().completed()).isZero();
		assertThat(stats().dead()).isZero();
		TotalsIdentity.check(stats());
	}

	@Test
	default void repeatOfATaskThatWasCancelledOrReplacedOrClaimedAgainIsStale() {
		scheduleDue("a", "b", "c");
		claim("t1");
		store().cancel(queue(), "a");
		schedule(task("b", Duration.ofMinutes(5)));
		advance(TTR);
		claim("t2");
		Instant next = now().plusSeconds(1);
		assertThat(store().settle(queue(),
				List.of(Settlement.repeat("a", "t1", next), Settlement.repeat("b", "t1", next),
						Settlement.repeat("c", "t1", next), Settlement.repeat("c", "t2", next),
						Settlement.repeat("c", "t2", next))))
			.containsExactly(false, false, false, true, false);
		assertThat(store().find(queue(), "a")).isEmpty();
		assertThat(found("b").dueAt()).isEqualTo(START.plus(Duration.ofMinutes(5)));
		assertThat(found("c").dueAt()).isEqualTo(next);
		TotalsIdentity.check(stats());
	}

	@Test
	default void redrivenTaskCanBeRepeated() {
		bury("a");
		store().redrive(queue(), List.of("a"));
		claim("t1");
		assertThat(settle(Settlement.repeat("a", "t1", now().plus(SECOND)))).isTrue();
		assertThat(found("a").failure()).isNull();
	}

	@Test
	default void settlementsOfOneCallAreIndependent() {
		scheduleDue("a", "b", "c", "d", "e", "f");
		claim("t1");
		List<Boolean> applied = store().settle(queue(),
				List.of(Settlement.complete("a", "t1", false), Settlement.complete("b", "t1", true),
						Settlement.retry("c", "t1", SECOND, null), Settlement.bury("d", "t1", true, bytes("fatal")),
						Settlement.release("e", "t1", null), Settlement.complete("f", "wrong", false),
						Settlement.complete("unknown", "t1", false)));
		assertThat(applied).containsExactly(true, true, true, true, true, false, false);
		assertThat(listed(TaskState.COMPLETED)).containsExactly("b");
		assertThat(listed(TaskState.SCHEDULED)).containsExactly("e", "c");
		assertThat(listed(TaskState.DEAD)).containsExactly("d");
		assertThat(listed(TaskState.IN_FLIGHT)).containsExactly("f");
	}

}
