package io.github.delayqueue.store;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Tasks;

import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a claim takes, how much of it, and when it says to ask again.
 */
interface ClaimContract extends TaskStoreFixture {

	@Test
	default void taskIsClaimedInTheMillisecondItIsDueAndNotBefore() {
		schedule(task("a", Duration.ofMillis(10)));
		advance(Duration.ofMillis(9));
		ClaimResult early = claim("t1");
		assertThat(early.tasks()).isEmpty();
		assertThat(early.wakeIn()).isEqualTo(Duration.ofMillis(1));
		advance(Duration.ofMillis(1));
		assertThat(ids(claim("t2"))).containsExactly("a");
	}

	@Test
	default void claimedTaskIsAnsweredWholeAndHeldUntilItsDeadline() {
		schedule(task("a", TaskPriority.HIGH, SECOND));
		advance(Duration.ofSeconds(3));
		ClaimResult result = claim("t1");
		assertThat(result.now()).isEqualTo(now());
		assertThat(result.paused()).isFalse();
		assertThat(result.orphans()).isEmpty();
		assertThat(result.purged()).isEmpty();
		assertThat(result.tasks()).hasSize(1);
		ClaimedRecord claimed = result.tasks().get(0);
		assertThat(claimed.id()).isEqualTo("a");
		assertThat(claimed.envelope()).isEqualTo(Tasks.bytes("a"));
		assertThat(claimed.priority()).isEqualTo(TaskPriority.HIGH);
		assertThat(claimed.dueAt()).isEqualTo(START.plus(SECOND));
		assertThat(claimed.failures()).isZero();
		assertThat(claimed.expiries()).isZero();
		assertThat(claimed.leaseExpired()).isFalse();
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.IN_FLIGHT);
		assertThat(task.at()).isEqualTo(now().plus(TTR));
		assertThat(task.dueAt()).isEqualTo(START.plus(SECOND));
	}

	@Test
	default void envelopeOfAnyBytesComesBackAsItWas() {
		byte[] envelope = new byte[256];
		for (int i = 0; i < envelope.length; i++) {
			envelope[i] = (byte) i;
		}
		schedule(new NewTask("a", envelope, DueTime.in(Duration.ZERO), TaskPriority.NORMAL, DuplicatePolicy.REPLACE));
		assertThat(claim("t1").tasks().get(0).envelope()).isEqualTo(envelope);
		byte[] failure = { 0, -1, -2, 10, 13, 58 };
		settle(Settlement.bury("a", "t1", true, failure));
		assertThat(found("a").envelope()).isEqualTo(envelope);
		assertThat(found("a").failure()).isEqualTo(failure);
	}

	@Test
	default void claimTakesNoMoreThanItsLimitAndSaysThatMoreIsDue() {
		scheduleDue("a", "b", "c");
		ClaimResult first = claim("t1", 2);
		assertThat(ids(first)).containsExactly("a", "b");
		assertThat(first.wakeIn()).isEqualTo(Duration.ZERO);
		assertThat(ids(claim("t2", 2))).containsExactly("c");
	}

	@Test
	default void wakeInOfAnEmptyQueueIsNull() {
		assertThat(claim("t1").wakeIn()).isNull();
		completeAndKeep("a");
		bury("b");
		assertThat(claim("t2").wakeIn()).isNull();
	}

	@Test
	default void wakeInIsTheTimeToTheEarliestTaskOfAnyPriority() {
		schedule(task("a", TaskPriority.HIGH, Duration.ofSeconds(20)),
				task("b", TaskPriority.LOW, Duration.ofSeconds(5)), task("c", Duration.ofSeconds(9)));
		assertThat(claim("t1").wakeIn()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	default void wakeInIsTheTimeToTheEarliestLeaseDeadlineIfThatIsFirst() {
		scheduleDue("a", "b");
		schedule(task("c", Duration.ofMinutes(5)));
		assertThat(claim("t1").wakeIn()).isEqualTo(TTR);
		extend("b", "t1", Duration.ofSeconds(7));
		assertThat(claim("t2").wakeIn()).isEqualTo(Duration.ofSeconds(7));
	}

	@Test
	default void claimTakesNothingWhileTheQueueIsPaused() {
		scheduleDue("a");
		store().setPaused(queue(), true);
		ClaimResult result = claim("t1");
		assertThat(result.tasks()).isEmpty();
		assertThat(result.paused()).isTrue();
		assertThat(result.wakeIn()).isNull();
		assertThat(result.now()).isEqualTo(now());
		store().setPaused(queue(), false);
		assertThat(ids(claim("t2"))).containsExactly("a");
	}

	@Test
	default void expiredLeaseIsNotTakenOverWhileTheQueueIsPaused() {
		scheduleDue("a", "b");
		claim("t1");
		store().setPaused(queue(), true);
		advance(TTR);
		assertThat(claim("t2").tasks()).isEmpty();
		assertThat(settle(Settlement.complete("a", "t1", false))).as("what is in flight goes on").isTrue();
		store().setPaused(queue(), false);
		assertThat(ids(claim("t3"))).containsExactly("b");
	}

	@Test
	default void claimStopsOnceItHasTakenItsNumberOfBytes() {
		for (String id : new String[] { "a", "b", "c", "d" }) {
			schedule(new NewTask(id, new byte[10], DueTime.in(Duration.ZERO), TaskPriority.NORMAL,
					DuplicatePolicy.REPLACE));
		}
		ClaimResult first = claimBytes("t1", 15);
		assertThat(ids(first)).containsExactly("a", "b");
		assertThat(first.wakeIn()).isEqualTo(Duration.ZERO);
		assertThat(ids(claimBytes("t2", 1))).containsExactly("c");
		assertThat(found("d").state()).isEqualTo(TaskState.SCHEDULED);
	}

	@Test
	default void claimTakesOneTaskHoweverFewBytesItMayTake() {
		scheduleDue("a", "b");
		assertThat(ids(claimBytes("t1", 0))).containsExactly("a");
		assertThat(ids(claimBytes("t2", 1))).containsExactly("b");
	}

	@Test
	default void bytesOfExpiredTasksCountToo() {
		schedule(new NewTask("expired", new byte[10], DueTime.in(Duration.ZERO), TaskPriority.NORMAL,
				DuplicatePolicy.REPLACE));
		claim("t1");
		advance(TTR);
		scheduleDue("a");
		assertThat(ids(claimBytes("t2", 5))).containsExactly("expired");
		assertThat(ids(claimBytes("t3", 5))).containsExactly("a");
	}

	private ClaimResult claimBytes(String token, long maxBytes) {
		return store().claim(queue(), new ClaimRequest(token, 10, 10, TTR, maxBytes, false, KEEP));
	}

}
