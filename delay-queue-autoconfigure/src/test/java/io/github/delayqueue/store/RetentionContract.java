package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long tasks that are over are kept, by retention and by hand.
 */
interface RetentionContract extends TaskStoreFixture {

	@Test
	default void completedTaskIsForgottenWhenItsRetentionIsOver() {
		completeAndKeep("a", "b");
		Retention retention = new Retention(Duration.ofSeconds(10), null, null);
		clock().set(START.plusSeconds(10).minusMillis(1));
		claim("t1", 1, retention);
		assertThat(listed(TaskState.COMPLETED)).containsExactly("a", "b");
		clock().set(START.plusSeconds(10));
		assertThat(claim("t2", 1, retention).purged()).as("dead tasks purged").isEmpty();
		assertThat(listed(TaskState.COMPLETED)).containsExactly("b");
		assertThat(store().find(queue(), "a")).isEmpty();
		assertThat(totals().completed()).isEqualTo(2);
		assertThat(totals().purged()).isZero();
		assertThat(schedule(task("a", Duration.ZERO))).containsExactly(ScheduleOutcome.CREATED);
	}

	@Test
	default void completedTasksAreNotKeptWithoutARetention() {
		completeAndKeep("a", "b");
		claim("t1", 1, Retention.NONE);
		assertThat(listed(TaskState.COMPLETED)).isEmpty();
	}

	@Test
	default void deadTaskIsPurgedWhenItsRetentionIsOver() {
		bury("a", "b");
		Retention retention = new Retention(Duration.ZERO, Duration.ofSeconds(10), null);
		clock().set(START.plusSeconds(10).minusMillis(1));
		assertThat(claim("t1", 1, retention).purged()).isEmpty();
		clock().set(START.plusSeconds(10));
		assertThat(claim("t2", 1, retention).purged()).containsExactly("a");
		assertThat(listed(TaskState.DEAD)).containsExactly("b");
		assertThat(store().find(queue(), "a")).isEmpty();
		assertThat(totals().purged()).isOne();
		assertThat(schedule(task("a", Duration.ZERO))).containsExactly(ScheduleOutcome.CREATED);
		assertThat(found("a").failure()).isNull();
	}

	@Test
	default void deadTasksAreKeptForEverWithoutARetention() {
		bury("a");
		advance(Duration.ofDays(10_000));
		assertThat(claim("t1", 1, Retention.NONE).purged()).isEmpty();
		assertThat(listed(TaskState.DEAD)).containsExactly("a");
	}

	@Test
	default void deadTasksBeyondTheMaximumArePurgedOldestFirst() {
		bury("c", "a", "b");
		Retention retention = new Retention(Duration.ZERO, null, 1L);
		assertThat(claim("t1", 1, retention).purged()).containsExactly("c", "a");
		assertThat(listed(TaskState.DEAD)).containsExactly("b");
		assertThat(claim("t2", 1, retention).purged()).isEmpty();
		assertThat(totals().purged()).isEqualTo(2);
	}

	@Test
	default void bothBoundsOfDeadTasksHold() {
		bury("a", "b", "c", "d");
		assertThat(claim("t1", 1, new Retention(Duration.ZERO, Duration.ofSeconds(2), 3L)).purged())
			.containsExactly("a", "b", "c");
		assertThat(claim("t2", 1, new Retention(Duration.ZERO, Duration.ofDays(1), 0L)).purged()).containsExactly("d");
		assertThat(totals().purged()).isEqualTo(4);
	}

	@Test
	default void oneClaimTrimsAtMostAThousandOfEachKindAndSaysThatMoreIsLeft() {
		List<String> completed = finish("completed", 1100, (id) -> Settlement.complete(id, "t1", true));
		List<String> dead = finish("dead", 1100, (id) -> Settlement.bury(id, "t1", true, null));
		Retention retention = new Retention(Duration.ZERO, Duration.ZERO, null);
		ClaimResult first = claim("t2", 1, retention);
		assertThat(first.purged()).isEqualTo(dead.subList(0, 1000));
		assertThat(first.untrimmed()).isTrue();
		assertThat(listed(TaskState.COMPLETED)).isEqualTo(completed.subList(1000, 1100));
		assertThat(listed(TaskState.DEAD)).isEqualTo(dead.subList(1000, 1100));
		ClaimResult second = claim("t3", 1, retention);
		assertThat(second.purged()).isEqualTo(dead.subList(1000, 1100));
		assertThat(second.untrimmed()).isFalse();
		assertThat(stats().completed()).isZero();
		assertThat(stats().dead()).isZero();
		assertThat(totals().purged()).isEqualTo(1100);
	}

	@Test
	default void oneClaimPurgesAtMostAThousandBeyondTheMaximumAndSaysThatMoreIsLeft() {
		List<String> ids = finish("dead", 1100, (id) -> Settlement.bury(id, "t1", true, null));
		Retention retention = new Retention(Duration.ZERO, null, 20L);
		ClaimResult first = claim("t2", 1, retention);
		assertThat(first.purged()).isEqualTo(ids.subList(0, 1000));
		assertThat(first.untrimmed()).isTrue();
		ClaimResult second = claim("t3", 1, retention);
		assertThat(second.purged()).isEqualTo(ids.subList(1000, 1080));
		assertThat(second.untrimmed()).isFalse();
	}

	@Test
	default void claimThatRemovesExactlyAThousandLeavesNothing() {
		finish("completed", 1000, (id) -> Settlement.complete(id, "t1", true));
		assertThat(claim("t2", 1, Retention.NONE).untrimmed()).isFalse();
		assertThat(stats().completed()).isZero();
	}

	@Test
	default void retentionsHoldHoweverMuchEachClaimBrings() {
		Duration kept = Duration.ofMillis(100);
		Retention retention = new Retention(kept, kept, null);
		for (int step = 0; step < 8; step++) {
			String token = "step-" + step;
			scheduleDue(ids(token, TaskStore.MAX_BATCH).toArray(String[]::new));
			ClaimResult result = claim(token, TaskStore.MAX_BATCH, retention);
			assertThat(result.tasks()).hasSize(TaskStore.MAX_BATCH);
			assertThat(result.untrimmed()).as("step %s", step).isFalse();
			boolean completes = step % 2 == 0;
			store().settle(queue(),
					result.tasks()
						.stream()
						.map((task) -> completes ? Settlement.complete(task.id(), token, true)
								: Settlement.bury(task.id(), token, true, null))
						.toList());
			advance(kept.dividedBy(2));
		}
		assertThat(stats().completed() + stats().dead()).isLessThanOrEqualTo(3 * TaskStore.MAX_BATCH);
	}

	@Test
	default void claimSaysThatMoreIsLeftWhileTheQueueIsPaused() {
		finish("completed", 1100, (id) -> Settlement.complete(id, "t1", true));
		store().setPaused(queue(), true);
		assertThat(claim("t2", 1, Retention.NONE)).returns(true, ClaimResult::untrimmed)
			.returns(null, ClaimResult::wakeIn);
		assertThat(claim("t3", 1, Retention.NONE).untrimmed()).isFalse();
		assertThat(stats().completed()).isZero();
	}

	/** Have tasks claimed and ended, all at one time. */
	private List<String> finish(String name, int count, Function<String, Settlement> end) {
		List<String> ids = ids(name, count);
		for (int first = 0; first < count; first += TaskStore.MAX_BATCH) {
			List<String> batch = ids.subList(first, Math.min(first + TaskStore.MAX_BATCH, count));
			scheduleDue(batch.toArray(String[]::new));
			claim("t1", batch.size());
			store().settle(queue(), batch.stream().map(end).toList());
		}
		return ids;
	}

	private static List<String> ids(String name, int count) {
		return IntStream.range(0, count).mapToObj((i) -> "%s-%04d".formatted(name, i)).toList();
	}

	@Test
	default void retentionsHoldWhileTheQueueIsPaused() {
		bury("a");
		completeAndKeep("b");
		store().setPaused(queue(), true);
		ClaimResult result = claim("t1", 1, new Retention(Duration.ZERO, Duration.ZERO, null));
		assertThat(result.paused()).isTrue();
		assertThat(result.purged()).containsExactly("a");
		assertThat(stats().completed()).isZero();
	}

	@Test
	default void retentionOfAnyLengthKeeps() {
		bury("a");
		completeAndKeep("b");
		Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
		assertThat(claim("t1", 1, new Retention(forEver, forEver, Long.MAX_VALUE)).purged()).isEmpty();
		assertThat(stats().dead()).isOne();
		assertThat(stats().completed()).isOne();
	}

	@Test
	default void purgeForgetsTheLongestDeadFirst() {
		bury("c", "a", "b");
		assertThat(store().purge(queue(), TaskState.DEAD, 2)).isEqualTo(2);
		assertThat(listed(TaskState.DEAD)).containsExactly("b");
		assertThat(store().find(queue(), "c")).isEmpty();
		assertThat(store().purge(queue(), TaskState.DEAD, 2)).isOne();
		assertThat(store().purge(queue(), TaskState.DEAD, 2)).isZero();
		assertThat(totals().purged()).isEqualTo(3);
	}

	@Test
	default void purgeOfCompletedTasksIsNotCounted() {
		completeAndKeep("c", "a", "b");
		assertThat(store().purge(queue(), TaskState.COMPLETED, 2)).isEqualTo(2);
		assertThat(listed(TaskState.COMPLETED)).containsExactly("b");
		assertThat(totals().purged()).isZero();
		assertThat(totals().completed()).isEqualTo(3);
	}

	@Test
	default void purgedTaskLeavesNothingForItsSuccessor() {
		scheduleDue("a");
		claim("t1");
		settle(Settlement.bury("a", "t1", true, bytes("fatal")));
		store().purge(queue(), TaskState.DEAD, 1);
		scheduleDue("a");
		StoredTask task = found("a");
		assertThat(task.failures()).isZero();
		assertThat(task.failure()).isNull();
		assertThat(stats().retrying()).isZero();
	}

}
