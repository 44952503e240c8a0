package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.Epoch;

import static io.github.delayqueue.journal.JournalTableFixture.entry;
import static io.github.delayqueue.journal.JournalTableFixture.ids;
import static io.github.delayqueue.journal.JournalTableFixture.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the loader takes, and what people look at.
 */
interface JournalLoaderContract extends JournalTableFixture {

	@Test
	default void waitingTasksAreTakenByDueTime() {
		write(entry("c", "c", NOW + 2), entry("b", "b", NOW + 1), entry("a", "a", NOW + 3), entry("d", "d", NOW + 4),
				entry("later", "later", NOW + 5));
		handed("handed");
		buried("dead");
		List<Row> taken = takeWaiting(NOW + 4, NOW, 3);
		assertThat(ids(taken)).containsExactly("b", "c", "a");
		assertThat(taken.get(0)).usingRecursiveComparison().isEqualTo(found("b"));
		assertThat(ids(takeWaiting(NOW + 4, NOW, 10))).containsExactly("b", "c", "a", "d");
	}

	@Test
	default void handedTasksAreTakenByDueTime() {
		List<Key> keys = new ArrayList<>();
		write(entry("b", "b", NOW + 1), entry("a", "a", NOW), entry("later", "later", NOW + 2));
		List.of("b", "a", "later").forEach((id) -> keys.add(found(id).key()));
		table().mark(queue(), keys, RowState.WAITING, RowState.HANDED);
		written("waiting");
		List<Row> taken = inTransaction(() -> loader().takeHanded(queue(), NOW + 1, NOW, 10));
		assertThat(ids(taken)).containsExactly("a", "b");
		assertThat(taken.get(1)).usingRecursiveComparison().isEqualTo(found("b"));
		assertThat(ids(inTransaction(() -> loader().takeHanded(queue(), NOW + 1, NOW, 1)))).containsExactly("a");
	}

	@Test
	default void taskWrittenOfLateIsNotTaken() {
		written("a");
		clock().advance(Duration.ofMillis(10));
		written("b");
		clock().advance(Duration.ofMillis(10));
		table().move(queue(), "a", MICROS, MICROS + 1, NOW);
		assertThat(ids(takeWaiting(NOW, NOW + 9, 10))).isEmpty();
		assertThat(ids(takeWaiting(NOW, NOW + 19, 10))).containsExactly("b");
		assertThat(ids(takeWaiting(NOW, NOW + 20, 10))).containsExactlyInAnyOrder("a", "b");
	}

	@Test
	default void batchEndsWhereItHasBecomeTooLarge() {
		byte[] large = new byte[(int) LoaderTable.MAX_TAKEN_BYTES / 4];
		write(IntStream.range(0, 6)
			.mapToObj(
					(i) -> new Entry("task-" + i, large, NOW + i, TaskPriority.NORMAL, DuplicatePolicy.REPLACE, false))
			.toArray(Entry[]::new));
		doInTransaction(() -> {
			List<Row> taken = loader().takeWaiting(queue(), NOW + 10, NOW, 500);
			assertThat(ids(taken)).containsExactly("task-0", "task-1", "task-2", "task-3");
			table().mark(queue(), keys(taken), RowState.WAITING, RowState.HANDED);
		});
		assertThat(ids(takeWaiting(NOW + 10, NOW, 500))).containsExactly("task-4", "task-5");
	}

	private List<Row> takeWaiting(long dueUntil, long untouchedSince, int limit) {
		return inTransaction(() -> loader().takeWaiting(queue(), dueUntil, untouchedSince, limit));
	}

	@Test
	default void limitsAreBounded() {
		assertThatIllegalArgumentException().isThrownBy(() -> loader().takeWaiting(queue(), NOW, NOW, 501));
		assertThatIllegalArgumentException().isThrownBy(() -> loader().takeHanded(queue(), NOW, NOW, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> loader().dead(queue(), "", NOW, 501));
		assertThatIllegalArgumentException().isThrownBy(() -> table().stored(queue(), NOW, 0, 501, 0));
	}

	@Test
	default void deadTasksAreListedById() {
		buried("c", "a", "B", "d");
		written("b");
		clock().advance(Duration.ofMillis(10));
		buried("e");
		List<Row> first = loader().dead(queue(), "", NOW, 2);
		assertThat(ids(first)).containsExactly("B", "a");
		assertThat(first.get(0)).usingRecursiveComparison().isEqualTo(found("B"));
		assertThat(ids(loader().dead(queue(), "a", NOW, 5))).containsExactly("c", "d");
		assertThat(ids(loader().dead(queue(), "a", NOW + 10, 5))).containsExactly("c", "d", "e");
	}

	@Test
	default void onlyDeadTasksAreDeletedAsSuch() {
		buried("a", "b", "c");
		written("waiting");
		handed("handed");
		assertThat(table().deleteDead(queue(), List.of("a", "c", "waiting", "handed", "unknown", "a"))).isEqualTo(2);
		assertThat(table().versions(queue(), List.of("a", "b", "c", "waiting", "handed"))).containsOnlyKeys("b",
				"waiting", "handed");
		assertThat(table().deleteDead(queue(), List.of())).isZero();
	}

	@Test
	default void storedTasksAreListedByDueTimeAndId() {
		write(entry("c", "c", NOW + 2), entry("a", "a", NOW + 2), entry("b", "b", NOW + 1), entry("now", "now", NOW),
				entry("d", "d", NOW + 3));
		handed("handed");
		assertThat(ids(table().stored(queue(), NOW, 0, 10, 0))).containsExactly("b", "a", "c", "d");
		assertThat(ids(table().stored(queue(), NOW, 1, 2, 0))).containsExactly("a", "c");
		assertThat(table().stored(queue(), NOW, 1, 1, 0).get(0).envelope()).isNull();
		assertThat(table().stored(queue(), NOW, 1, 1, Integer.MAX_VALUE).get(0)).usingRecursiveComparison()
			.isEqualTo(found("a"));
		assertThat(table().stored(queue(), NOW, 4, 10, Integer.MAX_VALUE)).isEmpty();
		write(entry("large", "larger", NOW + 9));
		assertThat(table().stored(queue(), NOW, 3, 2, 5)).extracting((row) -> row.envelope() != null)
			.containsExactly(true, false);
	}

	@Test
	default void storedTasksAreCounted() {
		write(entry("a", "a", NOW - 1), entry("b", "b", NOW), entry("c", "c", NOW + 1), entry("d", "d", NOW + 9),
				entry("e", "e", NOW + 10));
		handed("handed");
		buried("dead");
		List<Long> bounds = List.of(NOW, NOW + 1, NOW + 5, NOW + 10);
		assertThat(table().countStored(queue(), NOW, List.of())).containsExactly(3);
		assertThat(table().countStored(queue(), NOW - 2, bounds)).containsExactly(1, 1, 1, 1, 1);
		assertThat(table().countStored(queue(), NOW, bounds)).containsExactly(0, 0, 1, 1, 1);
		assertThat(table().countStored(queue(), NOW + 10, bounds)).containsExactly(0, 0, 0, 0, 0);
		assertThat(table().countStored(queue() + "-2", NOW, bounds)).containsExactly(0, 0, 0, 0, 0);
	}

	@Test
	default void firstOfTheStoredTasksIsFound() {
		write(entry("a", "a", NOW + 7), entry("b", "b", NOW + 5), entry("c", "c", NOW));
		assertThat(table().firstStored(queue(), NOW)).contains(NOW + 5);
		assertThat(table().firstStored(queue(), NOW + 5)).contains(NOW + 7);
		assertThat(table().firstStored(queue(), NOW + 7)).isEmpty();
	}

	@Test
	default void epochIsRememberedByPartition() {
		String partition = queue() + "#1";
		doInTransaction(() -> {
			assertThat(loader().lockEpoch(queue(), Long.MAX_VALUE)).contains(new Epoch("", 0));
			loader().remember(queue(), new Epoch("first", 7));
		});
		assertThat(inTransaction(() -> loader().lockEpoch(partition, Long.MAX_VALUE))).contains(new Epoch("", 0));
		assertThat(inTransaction(() -> loader().lockEpoch(queue(), Long.MAX_VALUE))).contains(new Epoch("first", 7));
		doInTransaction(() -> loader().remember(queue(), new Epoch("second", Long.MAX_VALUE)));
		assertThat(inTransaction(() -> loader().lockEpoch(queue(), Long.MAX_VALUE)))
			.contains(new Epoch("second", Long.MAX_VALUE));
		assertThat(inTransaction(() -> loader().lockEpoch(partition, Long.MAX_VALUE))).contains(new Epoch("", 0));
	}

	@Test
	default void epochThatWasRenewedOfLateIsLeftAlone() {
		doInTransaction(() -> {
			loader().lockEpoch(queue(), NOW);
			loader().remember(queue(), new Epoch("first", 1));
		});
		assertThat(inTransaction(() -> loader().lockEpoch(queue(), NOW))).isEmpty();
		assertThat(inTransaction(() -> loader().lockEpoch(queue(), NOW + 1))).contains(new Epoch("first", 1));
	}

	@Test
	default void partitionsAreKnownByTheirEpochs() {
		String partition = queue() + "#1";
		doInTransaction(() -> {
			loader().lockEpoch(partition, NOW);
			loader().lockEpoch(queue(), NOW);
		});
		assertThat(loader().partitionNames()).containsSubsequence(queue(), partition);
	}

	@Test
	default void epochIsNotRememberedIfTheTransactionIsRolledBack() {
		transactions().executeWithoutResult((status) -> {
			loader().lockEpoch(queue(), Long.MAX_VALUE);
			loader().remember(queue(), new Epoch("first", 7));
			status.setRollbackOnly();
		});
		assertThat(inTransaction(() -> loader().lockEpoch(queue(), Long.MAX_VALUE))).contains(new Epoch("", 0));
	}

}
