package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.journal.JournalTableFixture.entry;
import static io.github.delayqueue.journal.JournalTableFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that are there: what is known of them, and what becomes of them.
 */
interface JournalRowContract extends JournalTableFixture {

	@Test
	default void versionsAreOfRowsThatAreThere() {
		written("a");
		handed("b");
		buried("c");
		Map<String, Version> versions = table().versions(queue(), List.of("c", "b", "unknown", "a", "a"));
		assertThat(versions).containsOnlyKeys("a", "b", "c");
		assertThat(versions.get("a")).usingRecursiveComparison()
			.isEqualTo(new Version(MICROS, NOW, RowState.WAITING, null));
		assertThat(versions.get("b").state()).isEqualTo(RowState.HANDED);
		assertThat(versions.get("c")).usingRecursiveComparison()
			.isEqualTo(new Version(MICROS, NOW, RowState.DEAD, bytes("failure")));
		assertThat(table().versions(queue() + "-2", List.of("a"))).isEmpty();
	}

	@Test
	default void versionsOfTheLargestBatchAreFound() {
		String[] taskIds = IntStream.range(0, 500).mapToObj((i) -> "task-" + i).toArray(String[]::new);
		written(taskIds);
		assertThat(table().versions(queue(), List.of(taskIds))).containsOnlyKeys(taskIds);
	}

	@Test
	default void rowOfARecurringTaskIsDueLaterAndStaysWhereItIs() {
		List<Key> handed = handed("a", "later", "newer");
		Key waiting = written("b").get(0);
		Key dead = buried("dead").get(0);
		write(JournalTableFixture.entry("newer"));
		doInTransaction(
				() -> table().repeat(queue(), Map.of(handed.get(0), NOW + 1000, handed.get(1), NOW - 1, handed.get(2),
						NOW + 1000, waiting, NOW + 2000, dead, NOW + 1000, new Key("unknown", MICROS), NOW + 1000)));
		assertThat(found("a").dueMillis()).isEqualTo(NOW + 1000);
		assertThat(found("a").state()).isEqualTo(RowState.HANDED);
		assertThat(found("a").generation()).isEqualTo(handed.get(0).generation());
		assertThat(found("later").dueMillis()).as("only forward").isEqualTo(NOW);
		assertThat(found("newer").dueMillis()).isEqualTo(NOW);
		assertThat(found("b").dueMillis()).isEqualTo(NOW + 2000);
		assertThat(found("b").state()).isEqualTo(RowState.WAITING);
		assertThat(found("dead").dueMillis()).isEqualTo(NOW);
		assertThat(find("unknown")).isEmpty();
	}

	@Test
	default void rowOfARecurringTaskIsHandedOverAsLongAsNobodyHasTouchedItSince() {
		List<Key> keys = written("a", "later", "touched");
		Map<Key, Long> runs = Map.of(keys.get(0), NOW + 1000, keys.get(1), NOW + 1000, keys.get(2), NOW + 1000);
		long notedAt = inTransaction(() -> table().repeat(queue(), runs));
		clock().advance(Duration.ofMillis(1));
		doInTransaction(() -> table().repeat(queue(), Map.of(keys.get(1), NOW + 2000)));
		table().mark(queue(), List.of(keys.get(2)), RowState.WAITING, RowState.WAITING);
		table().markRepeated(queue(), runs, notedAt);
		assertThat(state("a")).isEqualTo(RowState.HANDED);
		assertThat(state("later")).isEqualTo(RowState.WAITING);
		assertThat(state("touched")).isEqualTo(RowState.WAITING);
		table().markRepeated(queue(), Map.of(), notedAt);
	}

	@Test
	default void lockedRowIsTheRow() {
		buried("a");
		assertThat(inTransaction(() -> table().lock(queue(), "a"))).get()
			.usingRecursiveComparison()
			.isEqualTo(found("a"));
		assertThat(inTransaction(() -> table().lock(queue(), "b"))).isEmpty();
	}

	@Test
	default void rowsOfExactlyTheseGenerationsAreDeleted() {
		List<Key> keys = written("a", "b", "c", "d");
		write(JournalTableFixture.entry("b"));
		assertThat(inTransaction(() -> table().delete(queue(),
				List.of(keys.get(3), new Key("unknown", MICROS), keys.get(1), keys.get(0)))))
			.containsExactly(1, 0, 0, 1);
		assertThat(find("a")).isEmpty();
		assertThat(find("b")).isPresent();
		assertThat(find("c")).isPresent();
		assertThat(find("d")).isEmpty();
		assertThat(inTransaction(() -> table().delete(queue(), keys))).containsExactly(0, 0, 1, 0);
	}

	@Test
	default void rowNamedTwiceIsDeletedOnce() {
		Key key = written("a").get(0);
		Key older = new Key("a", key.generation() - 1);
		assertThat(inTransaction(() -> table().delete(queue(), List.of(older, key, key, older)))).containsExactly(0, 1,
				0, 0);
	}

	@Test
	default void largestBatchIsDeleted() {
		List<Key> keys = handed(IntStream.range(0, 500).mapToObj((i) -> "task-" + i).toArray(String[]::new));
		written("other");
		assertThat(inTransaction(() -> table().delete(queue(), keys))).hasSize(500).containsOnly(1);
		assertThat(find("other")).isPresent();
		assertThat(loader().reset(queue(), Long.MAX_VALUE, Long.MAX_VALUE, 500)).isZero();
	}

	@Test
	default void rowsOfAnotherQueueStay() {
		List<Key> keys = written("a");
		assertThat(inTransaction(() -> table().delete(queue() + "-2", keys))).containsExactly(0);
		table().mark(queue() + "-2", keys, RowState.WAITING, RowState.HANDED);
		table().bury(queue() + "-2", keys.get(0), null);
		assertThat(table().move(queue() + "-2", "a", MICROS, MICROS + 1, NOW)).isFalse();
		assertThat(table().clear(queue() + "-2")).isZero();
		assertThat(state("a")).isEqualTo(RowState.WAITING);
	}

	@Test
	default void onlyRowsInTheStateAndOfTheGenerationAreMarked() {
		Key waiting = written("a").get(0);
		Key dead = buried("b").get(0);
		Key older = new Key(written("c").get(0).taskId(), MICROS - 1);
		table().mark(queue(), List.of(waiting, dead, older), RowState.WAITING, RowState.HANDED);
		assertThat(state("a")).isEqualTo(RowState.HANDED);
		assertThat(state("b")).isEqualTo(RowState.DEAD);
		assertThat(state("c")).isEqualTo(RowState.WAITING);
	}

	@Test
	default void onlyWaitingTasksThatNeverDiedAreConfirmed() {
		Key waiting = written("a").get(0);
		Key dead = buried("b", "c").get(0);
		Key redriven = found("c").key();
		inTransaction(() -> table().revive(queue(), List.of("c"), NOW));
		Key older = new Key(written("d").get(0).taskId(), MICROS - 1);
		clock().advance(Duration.ofSeconds(10));
		table().confirm(queue(), List.of(waiting, dead, redriven, older));
		assertThat(state("a")).isEqualTo(RowState.HANDED);
		assertThat(state("b")).isEqualTo(RowState.DEAD);
		assertThat(state("c")).isEqualTo(RowState.WAITING);
		assertThat(state("d")).isEqualTo(RowState.WAITING);
		assertThat(takeHanded(NOW + 9_999)).isEmpty();
		assertThat(ids(takeHanded(NOW + 10_000))).containsExactly("a");
	}

	@Test
	default void markingNotesTheTime() {
		List<Key> keys = handed("a");
		clock().advance(Duration.ofSeconds(10));
		table().mark(queue(), keys, RowState.HANDED, RowState.HANDED);
		assertThat(takeHanded(NOW + 9_999)).isEmpty();
		assertThat(ids(takeHanded(NOW + 10_000))).containsExactly("a");
	}

	private List<Row> takeHanded(long untouchedSince) {
		return inTransaction(() -> loader().takeHanded(queue(), NOW, untouchedSince, 10));
	}

	@Test
	default void buriedTaskKeepsItsFailure() {
		Key key = handed("a").get(0);
		assertThat(table().bury(queue(), key, bytes("first"))).isTrue();
		assertThat(found("a").failure()).isEqualTo(bytes("first"));
		table().bury(queue(), key, null);
		assertThat(found("a").failure()).isNull();
		assertThat(table().bury(queue(), new Key("a", key.generation() - 1), bytes("older"))).isFalse();
		assertThat(found("a").failure()).isNull();
		assertThat(state("a")).isEqualTo(RowState.DEAD);
	}

	@Test
	default void movedTaskWaitsWithItsNewGeneration() {
		Key key = handed("a").get(0);
		assertThat(table().move(queue(), "a", key.generation(), key.generation() + 7, NOW + 5)).isTrue();
		assertThat(found("a").key()).isEqualTo(new Key("a", key.generation() + 7));
		assertThat(found("a").dueMillis()).isEqualTo(NOW + 5);
		assertThat(state("a")).isEqualTo(RowState.WAITING);
		assertThat(table().move(queue(), "a", key.generation(), key.generation() + 8, NOW)).isFalse();
		assertThat(found("a").dueMillis()).isEqualTo(NOW + 5);
	}

	@Test
	default void deadTasksWaitAgainAndKeepTheirFailures() {
		buried("a", "b", "c");
		written("waiting");
		handed("handed");
		List<String> revived = inTransaction(
				() -> table().revive(queue(), List.of("c", "handed", "waiting", "unknown", "a", "c"), NOW + 5));
		assertThat(revived).containsExactly("c", "a");
		assertThat(found("a").dueMillis()).isEqualTo(NOW + 5);
		assertThat(found("a").failure()).isEqualTo(bytes("failure"));
		assertThat(found("a").key()).isEqualTo(new Key("a", MICROS));
		assertThat(state("a")).isEqualTo(RowState.WAITING);
		assertThat(state("b")).isEqualTo(RowState.DEAD);
		assertThat(state("handed")).isEqualTo(RowState.HANDED);
		assertThat(found("waiting").dueMillis()).isEqualTo(NOW);
	}

	@Test
	default void deadTasksAreFoundAndDeleted() {
		buried("a", "b", "c");
		written("waiting");
		handed("handed");
		assertThat(table().dead(queue(), 2)).hasSize(2).isSubsetOf("a", "b", "c");
		assertThat(table().dead(queue(), 10)).containsExactlyInAnyOrder("a", "b", "c");
		assertThat(table().deleteDead(queue(), List.of("a", "unknown", "handed", "c", "a"))).isEqualTo(2);
		assertThat(table().dead(queue(), 10)).containsExactly("b");
		assertThat(state("handed")).isEqualTo(RowState.HANDED);
		assertThat(table().dead(queue() + "-2", 10)).isEmpty();
	}

	@Test
	default void largestBatchIsRevivedAndMarked() {
		String[] taskIds = IntStream.range(0, 500).mapToObj((i) -> "task-" + i).toArray(String[]::new);
		List<Key> keys = buried(taskIds);
		assertThat(inTransaction(() -> table().revive(queue(), List.of(taskIds), NOW))).containsExactly(taskIds);
		table().mark(queue(), keys, RowState.WAITING, RowState.HANDED);
		assertThat(loader().reset(queue(), Long.MAX_VALUE, Long.MAX_VALUE, 500)).isEqualTo(500);
	}

	@Test
	default void onlyHandedTasksAreReset() {
		handed("a", "b");
		written("c");
		buried("d");
		assertThat(loader().reset(queue(), Long.MAX_VALUE, Long.MAX_VALUE, 500)).isEqualTo(2);
		assertThat(state("a")).isEqualTo(RowState.WAITING);
		assertThat(state("b")).isEqualTo(RowState.WAITING);
		assertThat(state("d")).isEqualTo(RowState.DEAD);
		assertThat(loader().reset(queue(), Long.MAX_VALUE, Long.MAX_VALUE, 500)).isZero();
	}

	@Test
	default void someHandedTasksAreResetAtATime() {
		handed("a", "b", "c");
		written("waiting");
		clock().advance(Duration.ofSeconds(1));
		handed("later");
		clock().advance(Duration.ofSeconds(4).plusMillis(1));
		handed("by-a-clock-that-was-set-back");
		assertThat(inTransaction(() -> loader().reset(queue(), NOW, NOW + 5000, 2))).isEqualTo(2);
		assertThat(inTransaction(() -> loader().reset(queue(), NOW, NOW + 5000, 2))).isEqualTo(2);
		assertThat(inTransaction(() -> loader().reset(queue(), NOW, NOW + 5000, 2))).isZero();
		assertThat(count()).isEqualTo(5);
		assertThat(state("later")).isEqualTo(RowState.HANDED);
		assertThat(found("b").key()).isEqualTo(new Key("b", MICROS));
	}

	@Test
	default void handOverBeforeALossIsNotConfirmedAfterIt() {
		Key before = written("before").get(0);
		written("other");
		write(entry("far", "far", NOW + 1000));
		Key far = found("far").key();
		clock().advance(Duration.ofSeconds(2));
		Key handed = written("handed").get(0);
		table().confirm(queue(), List.of(handed));
		assertThat(inTransaction(() -> loader().disown(queue(), NOW + 999, NOW, 1))).isOne();
		assertThat(inTransaction(() -> loader().disown(queue(), NOW + 999, NOW, 10))).isOne();
		table().confirm(queue(), List.of(before, far));
		assertThat(state("before")).isEqualTo(RowState.WAITING);
		assertThat(state("far")).as("beyond the horizon").isEqualTo(RowState.HANDED);
		assertThat(state("handed")).isEqualTo(RowState.HANDED);
		assertThat(inTransaction(() -> loader().disown(queue(), NOW + 999, NOW, 10))).as("twice").isZero();
		Key again = written("before").get(0);
		table().confirm(queue(), List.of(again));
		assertThat(state("before")).as("handed over since").isEqualTo(RowState.HANDED);
	}

	@Test
	default void taskThatWasWrittenLongAgoIsNotDisowned() {
		Key key = written("a").get(0);
		assertThat(inTransaction(() -> loader().disown(queue(), NOW, NOW + 1, 10))).isZero();
		table().confirm(queue(), List.of(key));
		assertThat(state("a")).isEqualTo(RowState.HANDED);
	}

	@Test
	default void allRowsOfAQueueAreCleared() {
		written("a");
		handed("b");
		buried("c");
		assertThat(table().clear(queue())).isEqualTo(3);
		assertThat(table().versions(queue(), List.of("a", "b", "c"))).isEmpty();
	}

	@Test
	default void someRowsOfAQueueAreClearedAtATime() {
		written("a");
		handed("b");
		buried("c");
		assertThat(inTransaction(() -> table().clear(queue() + "-2", 2))).isZero();
		assertThat(inTransaction(() -> table().clear(queue(), 2))).isEqualTo(2);
		assertThat(inTransaction(() -> table().clear(queue(), 2))).isOne();
		assertThat(inTransaction(() -> table().clear(queue(), 2))).isZero();
		assertThat(table().versions(queue(), List.of("a", "b", "c"))).isEmpty();
	}

}
