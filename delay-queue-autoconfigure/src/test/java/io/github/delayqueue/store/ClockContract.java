package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Due times near and far, and a clock that is stepped back: never early, nothing lost.
 */
interface ClockContract extends TaskStoreFixture {

	@Test
	default void delayIsCountedFromTheStoresClock() {
		advance(Duration.ofMillis(123));
		schedule(task("a", Duration.ofMillis(45)));
		assertThat(found("a").dueAt()).isEqualTo(START.plusMillis(168));
	}

	@Test
	default void delayBelowAMillisecondIsRoundedUp() {
		schedule(task("a", Duration.ofNanos(1)));
		assertThat(found("a").dueAt()).isEqualTo(START.plusMillis(1));
		assertThat(claim("t1").tasks()).isEmpty();
	}

	@Test
	default void delayEndsNoFractionOfAMillisecondEarly() {
		advance(Duration.ofNanos(1_000));
		schedule(task("a", Duration.ofMillis(10)));
		assertThat(found("a").dueAt()).isEqualTo(START.plusMillis(11));
		clock().set(START.plusMillis(11).minusNanos(1_000));
		ClaimResult early = claim("t1");
		assertThat(early.tasks()).isEmpty();
		assertThat(early.wakeIn()).isEqualTo(Duration.ofNanos(1_000));
		clock().set(START.plusMillis(11));
		assertThat(ids(claim("t2"))).containsExactly("a");
	}

	@Test
	default void whatIsDueNowIsDueByAClockBetweenTwoMilliseconds() {
		advance(Duration.ofNanos(999_000));
		schedule(task("a", Duration.ZERO), due("b", now()));
		assertThat(found("a").dueAt()).isEqualTo(START);
		assertThat(found("b").dueAt()).isEqualTo(START.plusMillis(1));
		assertThat(stats().oldestDueAge()).isEqualTo(Duration.ofNanos(999_000));
		assertThat(ids(claim("t1"))).containsExactly("a");
		assertThat(settle(Settlement.retry("a", "t1", Duration.ofMillis(5), null))).isTrue();
		assertThat(found("a").dueAt()).isEqualTo(START.plusMillis(6));
		assertThat(stats().oldestDueAge()).isZero();
	}

	@Test
	default void instantIsTakenAsItIs() {
		schedule(due("a", START.plusMillis(777)));
		assertThat(found("a").dueAt()).isEqualTo(START.plusMillis(777));
	}

	@Test
	default void whatLiesInThePastIsDueNow() {
		schedule(due("instant", Instant.parse("1999-12-31T00:00:00Z")), due("minimum", Instant.MIN),
				task("delay", Duration.ofDays(-1)));
		assertThat(found("instant").dueAt()).isEqualTo(START);
		assertThat(found("minimum").dueAt()).isEqualTo(START);
		assertThat(found("delay").dueAt()).isEqualTo(START);
		assertThat(ids(claim("t1"))).containsExactly("delay", "instant", "minimum");
	}

	@Test
	default void farFutureIsKeptToTheMillisecondAndLimitedToTheYear9999() {
		Instant far = Instant.parse("9000-06-30T12:34:56.789Z");
		Instant limit = Instant.parse("9999-12-31T23:59:59.999Z");
		schedule(due("far", far), due("maximum", Instant.MAX), task("delay", Duration.ofSeconds(Long.MAX_VALUE)));
		assertThat(found("far").dueAt()).isEqualTo(far);
		assertThat(found("maximum").dueAt()).isEqualTo(limit);
		assertThat(found("delay").dueAt()).isEqualTo(limit);
		assertThat(stats().nextDueAt()).isEqualTo(far);
		assertThat(claim("t1").wakeIn()).isEqualTo(Duration.ofDays(1));
		clock().set(far);
		assertThat(ids(claim("t2"))).containsExactly("far");
	}

	@Test
	default void rescheduleToThePastIsDueNow() {
		schedule(task("a", Duration.ofHours(1)));
		advance(SECOND);
		store().reschedule(queue(), "a", DueTime.at(START.minus(SECOND)));
		assertThat(found("a").dueAt()).isEqualTo(now());
		assertThat(ids(claim("t1"))).containsExactly("a");
	}

	@Test
	default void scheduledTaskIsNotEarlyWhenTheClockStepsBack() {
		schedule(task("a", Duration.ofSeconds(10)));
		advance(Duration.ofSeconds(9));
		clock().set(START.minusSeconds(60));
		ClaimResult early = claim("t1");
		assertThat(early.tasks()).isEmpty();
		assertThat(early.wakeIn()).isEqualTo(Duration.ofSeconds(70));
		clock().set(START.plusMillis(9999));
		assertThat(claim("t2").tasks()).isEmpty();
		clock().set(START.plusSeconds(10));
		assertThat(ids(claim("t3"))).containsExactly("a");
	}

	@Test
	default void dueTaskIsNotDueWhileTheClockIsBack() {
		scheduleDue("a");
		advance(Duration.ofSeconds(-1));
		assertThat(stats().due()).isZero();
		assertThat(stats().oldestDueAge()).isZero();
		assertThat(stats().nextDueAt()).isEqualTo(START);
		assertThat(claim("t1").tasks()).isEmpty();
		clock().set(START);
		assertThat(ids(claim("t2"))).containsExactly("a");
	}

	@Test
	default void leaseLastsUntilItsDeadlineWhenTheClockStepsBack() {
		scheduleDue("a");
		claim("t1");
		advance(Duration.ofSeconds(-20));
		assertThat(claim("t2").tasks()).isEmpty();
		advance(TTR);
		assertThat(claim("t3").tasks()).isEmpty();
		assertThat(found("a").at()).isEqualTo(START.plus(TTR));
		clock().set(START.plus(TTR));
		assertThat(ids(claim("t4"))).containsExactly("a");
	}

	@Test
	default void extensionCountsFromTheClockThatWasSteppedBack() {
		scheduleDue("a");
		claim("t1");
		advance(Duration.ofSeconds(-20));
		assertThat(extend("a", "t1", TTR)).isTrue();
		assertThat(found("a").at()).isEqualTo(START.plusSeconds(10));
		assertThat(settle(Settlement.complete("a", "t1", false))).isTrue();
	}

	@Test
	default void retryAndReleaseAreDueLaterByTheClockThatWasSteppedBack() {
		scheduleDue("a", "b");
		claim("t1");
		advance(Duration.ofSeconds(-20));
		settle(Settlement.retry("a", "t1", SECOND, bytes("failed")));
		settle(Settlement.release("b", "t1", null));
		assertThat(found("a").dueAt()).isEqualTo(START.minusSeconds(19));
		assertThat(found("b").dueAt()).isEqualTo(START);
		advance(SECOND);
		assertThat(ids(claim("t2"))).containsExactly("a");
		advance(Duration.ofSeconds(19));
		assertThat(ids(claim("t3"))).containsExactly("b");
	}

	@Test
	default void nothingIsLostWhenTheClockStepsBackAndForth() {
		schedule(task("scheduled", Duration.ofSeconds(2)));
		bury("dead");
		completeAndKeep("completed");
		claim("t1");
		advance(Duration.ofDays(-365));
		assertThat(claim("t2").tasks()).isEmpty();
		assertThat(listed(TaskState.IN_FLIGHT)).containsExactly("scheduled");
		assertThat(listed(TaskState.DEAD)).containsExactly("dead");
		assertThat(listed(TaskState.COMPLETED)).containsExactly("completed");
		assertThat(store().redrive(queue(), List.of("dead"))).containsExactly(true);
		assertThat(ids(claim("t3"))).containsExactly("dead");
		assertThat(settle(Settlement.complete("scheduled", "t1", false))).isTrue();
		assertThat(settle(Settlement.complete("dead", "t3", false))).isTrue();
		assertThat(totals().completed()).isEqualTo(3);
	}

	private NewTask due(String id, Instant instant) {
		return new NewTask(id, bytes(id), DueTime.at(instant), TaskPriority.NORMAL, DuplicatePolicy.REPLACE);
	}

}
