package io.github.delayqueue.store;

import java.time.Duration;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What all consumers of a queue may do together: how many tasks they claim in a time, and
 * how many they have in flight.
 */
interface FlowContract extends TaskStoreFixture {

	Duration TEN_MILLIS = Duration.ofMillis(10);

	@Test
	default void rateAllowsWhatHasBeenSavedUpAndThenOneTaskAfterTheOther() {
		scheduleMany(30);
		ClaimResult first = claim("t1", 100, "100/s", null);
		assertThat(first.tasks()).hasSize(11);
		assertThat(first.wakeIn()).isEqualTo(TEN_MILLIS);
		advance(TEN_MILLIS.minusNanos(1000));
		ClaimResult early = claim("t2", 100, "100/s", null);
		assertThat(early.tasks()).isEmpty();
		assertThat(early.wakeIn()).isEqualTo(Duration.ofMillis(50));
		advance(Duration.ofNanos(1000));
		assertThat(claim("t3", 100, "100/s", null).tasks()).hasSize(1);
		advance(TEN_MILLIS.multipliedBy(3));
		assertThat(claim("t4", 2, "100/s", null)).returns(2, (result) -> result.tasks().size())
			.returns(Duration.ZERO, ClaimResult::wakeIn);
		assertThat(claim("t5", 100, "100/s", null).tasks()).hasSize(1);
	}

	@Test
	default void permitsOfATenthOfASecondAndOneMoreAreSavedUp() {
		scheduleMany(30);
		claim("t1", 100, "100/s", null);
		advance(Duration.ofHours(1));
		assertThat(claim("t2", 100, "100/s", null).tasks()).hasSize(11);
		assertThat(claim("t3", 100, "100/s", null).tasks()).isEmpty();
	}

	@Test
	default void rateThatDoesNotDivideItsPeriodIsKept() {
		scheduleMany(30);
		assertThat(claim("t1", 100, "7/s", null).tasks()).hasSize(1);
		int taken = 0;
		for (int i = 1; i <= 300; i++) {
			advance(TEN_MILLIS);
			taken += claim("s" + i, 100, "7/s", null).tasks().size();
		}
		assertThat(taken).isEqualTo(21);
	}

	@Test
	default void taskWhoseLeaseRanOutTakesAPermit() {
		scheduleMany(20);
		claim("t1", 100, "100/s", null);
		advance(TTR.plusMillis(1));
		ClaimResult again = claim("t2", 100, "100/s", null);
		assertThat(again.tasks()).hasSize(11).filteredOn(ClaimedRecord::leaseExpired).hasSize(5);
		assertThat(claim("t3", 100, "100/s", null).tasks()).isEmpty();
	}

	@Test
	default void rateDelaysNothingThatIsNotDue() {
		scheduleMany(11);
		claim("t1", 100, "100/s", null);
		schedule(task("later", SECOND));
		assertThat(claim("t2", 100, "100/s", null).wakeIn()).isEqualTo(SECOND);
	}

	@Test
	default void clockThatIsSetBackStopsNothing() {
		scheduleMany(30);
		claim("t1", 100, "100/s", null);
		clock().set(START.minus(Duration.ofSeconds(1)));
		schedule(task("a", Duration.ZERO), task("b", Duration.ZERO));
		assertThat(claim("t2", 100, "100/s", null).tasks()).hasSize(1);
		assertThat(claim("t3", 100, "100/s", null)).returns(0, (result) -> result.tasks().size())
			.returns(Duration.ofMillis(50), ClaimResult::wakeIn);
		advance(TEN_MILLIS);
		assertThat(claim("t4", 100, "100/s", null).tasks()).hasSize(1);
	}

	@Test
	default void eachClaimIsJudgedByTheRateItBringsAlong() {
		scheduleMany(40);
		claim("t1", 100, "100/s", null);
		advance(Duration.ofMillis(50));
		assertThat(claim("t2", 3, "100/s", null).tasks()).hasSize(3);
		assertThat(claim("t3", 100, "1000/s", null).tasks()).hasSize(20);
		assertThat(claim("t4", 100, "100/s", null).tasks()).isEmpty();
		assertThat(claim("t5", 100, null, null).tasks()).hasSize(6);
	}

	@Test
	default void claimThatRateHoldsBackRestsForAWhileHoweverHighTheRate() {
		scheduleMany(201);
		assertThat(claim("t1", 500, "1000/s", null)).returns(101, (result) -> result.tasks().size())
			.returns(Duration.ofMillis(5), ClaimResult::wakeIn);
	}

	@Test
	default void waitForAPermitIsToldAsADayAtMost() {
		schedule(task("a", Duration.ZERO), task("b", Duration.ZERO));
		RateLimit rate = RateLimit.parse("1/h").share(256);
		FlowLimits limits = new FlowLimits(rate, null);
		ClaimResult result = store().claim(queue(), ClaimRequest.of("t", 9, TTR).withLimits(limits));
		assertThat(result.tasks()).hasSize(1);
		assertThat(result.wakeIn()).isEqualTo(Duration.ofDays(1));
	}

	@Test
	default void waitForALeaseIsToldAsADayAtMost() {
		schedule(task("a", Duration.ZERO), task("b", Duration.ZERO));
		advance(Duration.ofNanos(1000));
		ClaimRequest request = ClaimRequest.of("t", 9, Duration.ofDays(2)).withLimits(new FlowLimits(null, 1));
		assertThat(store().claim(queue(), request).wakeIn()).isEqualTo(Duration.ofDays(1).minusNanos(1000));
	}

	@Test
	default void noMoreThanTheLimitAreInFlight() {
		scheduleMany(10);
		ClaimResult first = claim("t1", 100, null, 3);
		assertThat(first.tasks()).hasSize(3);
		assertThat(first.wakeIn()).isEqualTo(TTR);
		assertThat(claim("t2", 100, null, 3).tasks()).isEmpty();
		settle(Settlement.complete(ids(first).get(0), "t1", false));
		settle(Settlement.retry(ids(first).get(1), "t1", SECOND, null));
		assertThat(claim("t3", 100, null, 3).tasks()).hasSize(2);
		assertThat(claim("t4", 100, null, 4).tasks()).hasSize(1);
		assertThat(claim("t5", 100, null, 2).tasks()).isEmpty();
	}

	@Test
	default void leaseThatRanOutBlocksNobody() {
		scheduleMany(4);
		claim("t1", 2, null, 2);
		advance(TTR.minusMillis(1));
		assertThat(claim("t2", 2, null, 2)).returns(0, (result) -> result.tasks().size())
			.returns(Duration.ofMillis(1), ClaimResult::wakeIn);
		advance(Duration.ofMillis(1));
		ClaimResult again = claim("t3", 2, null, 2);
		assertThat(again.tasks()).extracting(ClaimedRecord::leaseExpired).containsExactly(true, false);
		// the one that still waits is not in flight, the two that were taken are
		assertThat(claim("t4", 2, null, 2).tasks()).isEmpty();
		assertThat(claim("t5", 2, null, 3).tasks()).hasSize(1);
	}

	@Test
	default void whatIsNotDueIsWaitedForAlsoWhileTheQueueIsFull() {
		scheduleMany(1);
		schedule(task("later", SECOND));
		assertThat(claim("t1", 9, null, 1).wakeIn()).isEqualTo(SECOND);
	}

	@Test
	default void bothLimitsHold() {
		scheduleMany(20);
		assertThat(claim("t1", 100, "100/s", 5)).returns(5, (result) -> result.tasks().size())
			.returns(TTR, ClaimResult::wakeIn);
		assertThat(claim("t2", 100, "100/s", 15)).returns(6, (result) -> result.tasks().size())
			.returns(TEN_MILLIS, ClaimResult::wakeIn);
	}

	@Test
	default void retentionsTrimWhateverTheLimits() {
		bury("a", "b");
		scheduleDue("c", "d");
		claim("t1", 1);
		Retention retention = new Retention(Duration.ofHours(1), null, 1L);
		ClaimResult result = store().claim(queue(), new ClaimRequest("t2", 9, 9, TTR, ClaimRequest.DEFAULT_MAX_BYTES,
				false, retention, new FlowLimits(null, 1)));
		assertThat(result.purged()).containsExactly("a");
		assertThat(result.tasks()).isEmpty();
	}

	@Test
	default void pauseHoldsWhateverTheLimits() {
		scheduleMany(3);
		store().setPaused(queue(), true);
		assertThat(claim("t1", 9, "100/s", 1)).returns(true, ClaimResult::paused).returns(null, ClaimResult::wakeIn);
		store().setPaused(queue(), false);
		assertThat(claim("t2", 9, "100/s", 1).tasks()).hasSize(1);
	}

	private void scheduleMany(int count) {
		schedule(IntStream.range(0, count)
			.mapToObj((i) -> task("task-%03d".formatted(i), Duration.ZERO))
			.toArray(NewTask[]::new));
	}

	private ClaimResult claim(String token, int limit, @Nullable String rate, @Nullable Integer inFlight) {
		FlowLimits limits = new FlowLimits((rate != null) ? RateLimit.parse(rate) : null, inFlight);
		return store().claim(queue(),
				new ClaimRequest(token, limit, limit, TTR, ClaimRequest.DEFAULT_MAX_BYTES, false, KEEP, limits));
	}

}
