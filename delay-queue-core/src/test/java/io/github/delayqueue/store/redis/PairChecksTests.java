package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.Settlement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of {@link PairChecks}. They fail where assertions are off, so a build without
 * them is noticed.
 */
class PairChecksTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private static final ClaimRequest REQUEST = new ClaimRequest("token", 3, 1, false, true,
			ClaimTerms.of(Duration.ofSeconds(30), List.of(), null));

	@Test
	void claimThatFitsItsRequestPasses() {
		ClaimedRecord lost = record("b", NOW.plusSeconds(9), 1, true);
		assertThat(PairChecks.claimed(REQUEST, result(false, lost, due("a"), due("c")))).isTrue();
	}

	static Stream<Arguments> wrongClaims() {
		return Stream.of(arguments("4 tasks claimed", result(false, due("a"), due("b"), due("c"), due("d"))),
				arguments("Claimed twice: a", result(false, due("a"), due("a"))),
				arguments("Claimed twice: orphan", result(false, due("orphan"))),
				arguments("due at", result(false, record("a", NOW.plusMillis(2), 0, false))),
				arguments("Claimed at", result(false, record("a", NOW, 0, true))),
				arguments("after a lost lease", result(false, record("a", NOW, 1, true), record("b", NOW, 1, true))),
				arguments("paused", result(true, due("a"))));
	}

	@ParameterizedTest
	@MethodSource("wrongClaims")
	void claimThatDoesNotFitItsRequestFails(String message, ClaimResult result) {
		assertFails(message, () -> PairChecks.claimed(REQUEST, result));
	}

	@Test
	void idIsCreatedOnceInACallAndOnlyRejectedIfItDoesNotReplace() {
		assertThat(PairChecks.scheduled(List.of(Tasks.task("a"), Tasks.task("a")),
				List.of(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED)))
			.isTrue();
		assertThat(PairChecks.scheduled(List.of(Tasks.task("a", Duration.ZERO, Replacement.REJECT)),
				List.of(ScheduleOutcome.REJECTED)))
			.isTrue();
		assertFails("Created twice: a", () -> PairChecks.scheduled(List.of(Tasks.task("a"), Tasks.task("a")),
				List.of(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED)));
		assertFails("Rejected",
				() -> PairChecks.scheduled(List.of(Tasks.task("a")), List.of(ScheduleOutcome.REJECTED)));
	}

	@Test
	void taskIsSettledOnceInACall() {
		Settlement drop = new Settlement("a", "t", new Settlement.Drop());
		List<Settlement> twice = List.of(drop, drop);
		assertThat(PairChecks.settled(twice, List.of(true, false))).isTrue();
		assertFails("Settled twice: a", () -> PairChecks.settled(twice, List.of(true, true)));
	}

	@Test
	void flagIsZeroOrOne() {
		assertThat(Replies.flags(2).apply(List.of(0L, 1L))).containsExactly(false, true);
		assertFails("2 is neither", () -> Replies.flag(List.of(2L)));
	}

	private static void assertFails(String message, Runnable check) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(check::run).withMessageContaining(message);
	}

	private static ClaimedRecord due(String id) {
		return record(id, NOW, 0, false);
	}

	private static ClaimedRecord record(String id, Instant dueAt, int leasesLost, boolean leaseLost) {
		return new ClaimedRecord(id, new byte[0], TaskPriority.NORMAL, dueAt, 0, leasesLost, leaseLost, null);
	}

	private static ClaimResult result(boolean paused, ClaimedRecord... tasks) {
		return new ClaimResult(List.of(tasks), NOW, paused ? null : Duration.ZERO, paused,
				new ClaimNotes(List.of("orphan"), false, List.of(), false));
	}

}
