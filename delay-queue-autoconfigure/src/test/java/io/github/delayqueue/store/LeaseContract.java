package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskState;

import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leases: when they run out, what an extension does to them, what taking over counts.
 */
interface LeaseContract extends TaskStoreFixture {

	@Test
	default void leaseRunsOutInTheMillisecondOfItsDeadline() {
		scheduleDue("a");
		claim("t1");
		advance(TTR.minusMillis(1));
		assertThat(claim("t2").tasks()).isEmpty();
		assertThat(stats().expired()).isZero();
		advance(Duration.ofMillis(1));
		assertThat(stats().expired()).isOne();
		assertThat(ids(claim("t3"))).containsExactly("a");
	}

	@Test
	default void takingOverCountsAnExpiryAndKeepsTheDueTime() {
		schedule(task("a", SECOND));
		advance(Duration.ofSeconds(2));
		claim("t1");
		advance(TTR);
		ClaimedRecord first = claim("t2").tasks().get(0);
		assertThat(first.expiries()).isOne();
		assertThat(first.failures()).isZero();
		assertThat(first.leaseExpired()).isTrue();
		assertThat(first.dueAt()).isEqualTo(START.plus(SECOND));
		advance(TTR);
		ClaimedRecord second = claim("t3").tasks().get(0);
		assertThat(second.expiries()).isEqualTo(2);
		assertThat(found("a").expiries()).isEqualTo(2);
		assertThat(found("a").at()).isEqualTo(now().plus(TTR));
		assertThat(totals().expired()).isEqualTo(2);
		assertThat(totals().scheduled()).isOne();
	}

	@Test
	default void leaseEndsWithTheYear9999AtTheLatest() {
		Instant end = Instant.ofEpochMilli(DueTime.MAX_EPOCH_MILLIS);
		Duration endless = Duration.ofDays(5_000_000);
		scheduleDue("a");
		store().claim(queue(), ClaimRequest.of("t1", 1, endless));
		assertThat(found("a").at()).isEqualTo(end);
		store().extend(queue(), List.of(new Extension("a", "t1", TTR)));
		assertThat(found("a").at()).isEqualTo(now().plus(TTR));
		store().extend(queue(), List.of(new Extension("a", "t1", endless)));
		assertThat(found("a").at()).isEqualTo(end);
		assertThat(stats().inFlight()).isOne();
	}

	@Test
	default void expiriesStayWhenTheTaskIsRetried() {
		scheduleDue("a");
		claim("t1");
		advance(TTR);
		claim("t2");
		settle(Settlement.retry("a", "t2", Duration.ZERO, null));
		ClaimedRecord claimed = claim("t3").tasks().get(0);
		assertThat(claimed.expiries()).isOne();
		assertThat(claimed.failures()).isOne();
		assertThat(claimed.leaseExpired()).isFalse();
	}

	@Test
	default void extensionMovesTheDeadlineLaterOrEarlierFromNow() {
		scheduleDue("a");
		claim("t1");
		advance(Duration.ofSeconds(10));
		assertThat(extend("a", "t1", TTR)).isTrue();
		assertThat(found("a").at()).isEqualTo(START.plusSeconds(40));
		assertThat(extend("a", "t1", SECOND)).isTrue();
		assertThat(found("a").at()).isEqualTo(START.plusSeconds(11));
		advance(SECOND);
		assertThat(ids(claim("t2"))).containsExactly("a");
	}

	@Test
	default void leaseOfNoTimeIsExpiredAtOnce() {
		scheduleDue("a");
		claim("t1");
		assertThat(extend("a", "t1", Duration.ZERO)).isTrue();
		assertThat(ids(claim("t2"))).containsExactly("a");
		assertThat(found("a").expiries()).isOne();
	}

	@Test
	default void extensionDoesNotMakeTheCompletionStale() {
		scheduleDue("a");
		claim("t1");
		assertThat(extend("a", "t1", Duration.ofMinutes(5))).isTrue();
		assertThat(settle(Settlement.complete("a", "t1", false))).isTrue();
		assertThat(totals().stale()).isZero();
	}

	@Test
	default void extensionAfterTheCompletionBringsNothingBack() {
		scheduleDue("a", "b");
		claim("t1");
		settle(Settlement.complete("a", "t1", false));
		settle(Settlement.complete("b", "t1", true));
		assertThat(extend("a", "t1", TTR)).isFalse();
		assertThat(extend("b", "t1", TTR)).isFalse();
		assertThat(store().find(queue(), "a")).isEmpty();
		assertThat(stats().inFlight()).isZero();
		advance(TTR);
		assertThat(claim("t2").tasks()).isEmpty();
	}

	@Test
	default void extensionsRacingCompletionsMakeNoneOfThemStaleAndLeaveNoLease() {
		List<String> ids = IntStream.range(0, 300).mapToObj((i) -> "task-%03d".formatted(i)).toList();
		scheduleDue(ids.toArray(String[]::new));
		claim("t1", ids.size());
		List<Extension> extensions = ids.stream().map((id) -> new Extension(id, "t1", TTR)).toList();
		AtomicBoolean completed = new AtomicBoolean();
		CompletableFuture<Void> extending = CompletableFuture.runAsync(() -> {
			do {
				store().extend(queue(), extensions);
			}
			while (!completed.get());
		});
		for (int from = 0; from < ids.size(); from += 5) {
			List<Settlement> settlements = ids.subList(from, from + 5)
				.stream()
				.map((id) -> Settlement.complete(id, "t1", false))
				.toList();
			assertThat(store().settle(queue(), settlements)).containsOnly(true);
		}
		completed.set(true);
		extending.join();
		assertThat(listed(TaskState.IN_FLIGHT)).isEmpty();
		assertThat(stats().inFlight()).isZero();
		assertThat(totals().completed()).isEqualTo(ids.size());
	}

	@Test
	default void consumersClaimingAtTheSameTimeShareTheTasks() {
		List<String> ids = IntStream.range(0, 200).mapToObj((i) -> "task-%03d".formatted(i)).toList();
		scheduleDue(ids.toArray(String[]::new));
		List<CompletableFuture<List<String>>> consumers = IntStream.range(0, 4)
			.mapToObj((consumer) -> CompletableFuture.supplyAsync(() -> IntStream.range(0, 10)
				.boxed()
				.flatMap((call) -> ids(claim("t" + consumer + "-" + call, 5)).stream())
				.toList()))
			.toList();
		assertThat(consumers.stream().flatMap((consumer) -> consumer.join().stream()).toList())
			.containsExactlyInAnyOrderElementsOf(ids);
	}

}
