package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.journal.JournalTableFixture.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that are there: what is known of them, and what becomes of them.
 */
interface JournalRowContract extends JournalTableFixture {

	@Test
	default void versionsAreOfRowsThatAreThere() {
		written("a");
		deadLettered("c");
		Map<String, Row> versions = table().versions(queue(), List.of("c", "unknown", "a", "a"));
		assertThat(versions).containsOnlyKeys("a", "c");
		assertThat(versions.get("a")).extracting(Row::generation, Row::dueMillis, Row::dead, Row::failure)
			.containsExactly(MICROS, NOW, false, null);
		assertThat(versions.get("c")).extracting(Row::generation, Row::dueMillis, Row::dead, Row::failure)
			.containsExactly(MICROS, NOW, true, bytes("failure"));
		assertThat(table().versions(queue() + "-2", List.of("a"))).isEmpty();
	}

	@Test
	default void rowOfARecurringTaskIsDueLater() {
		List<Key> keys = written("a", "later", "newer", "far");
		Key dead = deadLettered("dead").get(0);
		write(entry("newer"));
		long beyond = CHECKS.horizonMillis(NOW) + 1;
		doInTransaction(() -> table().repeat(queue(), Map.of(keys.get(0), NOW + 1000, keys.get(1), NOW - 1, keys.get(2),
				NOW + 1000, keys.get(3), beyond, dead, NOW + 1000, new Key("unknown", MICROS), NOW + 1000)));
		assertThat(found("a").dueMillis()).isEqualTo(NOW + 1000);
		assertThat(checkOf("a")).as("the store has it").isEqualTo(NOW + 31_000);
		assertThat(found("a").key()).isEqualTo(keys.get(0));
		assertThat(found("far").dueMillis()).isEqualTo(beyond);
		assertThat(checkOf("far")).isEqualTo(beyond - 20_000);
		assertThat(List.of("later", "newer", "dead"))
			.allSatisfy((id) -> assertThat(found(id).dueMillis()).isEqualTo(NOW));
		assertThat(checkOf("later")).as("only forward").isEqualTo(NOW + 5000);
		assertThat(checkOf("newer")).isEqualTo(NOW + 5000);
		assertThat(checkOf("dead")).isEqualTo(CheckTimes.DIED + NOW + 60_000);
		assertThat(find("unknown")).isEmpty();
	}

	@Test
	default void runThatIsLateDoesNotUndoALaterOne() {
		Key key = written("a").get(0);
		table().repeat(queue(), Map.of(key, NOW + 2000));
		table().repeat(queue(), Map.of(key, NOW + 1000));
		check("a", 1);
		table().repeat(queue(), Map.of(key, NOW + 2000));
		assertThat(found("a").dueMillis()).isEqualTo(NOW + 2000);
		assertThat(checkOf("a")).as("the same once more").isOne();
	}

	@Test
	default void lockedRowIsTheRow() {
		deadLettered("a");
		assertThat(inTransaction(() -> table().lock(queue(), "a"))).get()
			.usingRecursiveComparison()
			.isEqualTo(found("a"));
		assertThat(inTransaction(() -> table().lock(queue(), "b"))).isEmpty();
	}

	@Test
	default void rowsOfExactlyTheseGenerationsAreDeleted() {
		List<Key> keys = written("a", "b", "c", "d");
		write(entry("b"));
		assertThat(inTransaction(() -> table().delete(queue(),
				List.of(keys.get(3), new Key("unknown", MICROS), keys.get(1), keys.get(0)))))
			.containsExactlyInAnyOrder(keys.get(3), keys.get(0));
		assertThat(find("a")).isEmpty();
		assertThat(find("b")).isPresent();
		assertThat(find("c")).isPresent();
		assertThat(find("d")).isEmpty();
		assertThat(inTransaction(() -> table().delete(queue(), keys))).containsExactly(keys.get(2));
	}

	@Test
	default void rowsOfAnotherQueueStay() {
		List<Key> keys = written("a");
		assertThat(inTransaction(() -> table().delete(queue() + "-2", keys))).isEmpty();
		assertThat(table().deadLetter(queue() + "-2", keys.get(0), null)).isFalse();
		table().repeat(queue() + "-2", Map.of(keys.get(0), NOW + 1));
		assertThat(inTransaction(() -> table().revive(queue() + "-2", List.of("a"), (id) -> NOW))).isEmpty();
		assertThat(table().move(queue() + "-2", "a", MICROS, MICROS + 1, NOW, false, false)).isFalse();
		assertThat(table().clear(queue() + "-2")).isZero();
		assertThat(found("a")).usingRecursiveComparison()
			.isEqualTo(new Row("a", MICROS, NOW, TaskPriority.NORMAL, bytes("a"), false, null, NOW + 5000));
	}

	@Test
	default void deadLetteredTaskKeepsItsFailureAndIsLookedAtOnceMore() {
		Key key = written("a").get(0);
		assertThat(found("a").dead()).isFalse();
		clock().advance(Duration.ofMillis(7));
		assertThat(table().deadLetter(queue(), key, bytes("first"))).isTrue();
		assertThat(found("a")).usingRecursiveComparison()
			.isEqualTo(new Row("a", MICROS, NOW, TaskPriority.NORMAL, bytes("a"), true, bytes("first"),
					CheckTimes.DIED + NOW + 60_007));
		assertThat(diedAt("a")).isEqualTo(NOW + 7);
		table().deadLetter(queue(), key, null);
		assertThat(found("a").failure()).isNull();
		assertThat(table().deadLetter(queue(), new Key("a", key.generation() - 1), bytes("older"))).isFalse();
		assertThat(found("a").failure()).isNull();
		assertThat(found("a").dead()).isTrue();
	}

	private long diedAt(String taskId) {
		return jdbc().sql("SELECT dead_at FROM delay_queue_task WHERE queue = ? AND task_id = ?")
			.params(queue(), taskId)
			.query(Long.class)
			.single();
	}

	@Test
	default void movedTaskHasItsNewGeneration() {
		Key key = written("a").get(0);
		long beyond = CHECKS.horizonMillis(NOW) + 5;
		assertThat(table().move(queue(), "a", key.generation(), key.generation() + 7, beyond, false, false)).isTrue();
		assertThat(found("a")).usingRecursiveComparison()
			.isEqualTo(new Row("a", MICROS + 7, beyond, TaskPriority.NORMAL, bytes("a"), false, null,
					CheckTimes.FAR + NOW + 4));
		assertThat(table().move(queue(), "a", key.generation(), key.generation() + 8, NOW, false, false)).isFalse();
		assertThat(found("a").dueMillis()).isEqualTo(beyond);
		assertThat(checkOf("a")).isEqualTo(CheckTimes.FAR + NOW + 4);
		assertThat(table().move(queue(), "a", key.generation() + 7, key.generation() + 8, NOW + 1, false, false))
			.isTrue();
		assertThat(checkOf("a")).isEqualTo(NOW + 5000);
	}

	@Test
	default void deadTasksWaitAgainAndKeepTheirFailures() {
		deadLettered("a", "b", "c");
		check("a", CheckTimes.RESTING);
		check("b", CheckTimes.RESTING);
		written("waiting");
		Set<String> revived = inTransaction(
				() -> table().revive(queue(), List.of("c", "waiting", "unknown", "a", "c"), (id) -> NOW + 70_000));
		assertThat(revived).containsExactlyInAnyOrder("c", "a");
		assertThat(found("a")).usingRecursiveComparison()
			.isEqualTo(new Row("a", MICROS, NOW + 70_000, TaskPriority.NORMAL, bytes("a"), false, bytes("failure"),
					NOW + 50_000));
		assertThat(found("b").dead()).isTrue();
		assertThat(checkOf("b")).isEqualTo(CheckTimes.RESTING);
		assertThat(found("waiting").dueMillis()).isEqualTo(NOW);
		assertThat(checkOf("waiting")).isEqualTo(NOW + 5000);
		assertThat(inTransaction(() -> table().revive(queue(), List.of("a"), (id) -> NOW))).as("twice").isEmpty();
	}

	@Test
	default void deadTasksAreFoundAndDeleted() {
		deadLettered("a", "c");
		deadRow("b", CheckTimes.RESTING + NOW);
		Key waiting = written("waiting").get(0);
		List<Key> dead = table().findDead(queue(), 0, 10);
		assertThat(dead).extracting(Key::taskId).startsWith("b").containsExactlyInAnyOrder("a", "b", "c");
		assertThat(table().findDead(queue(), 0, 2)).isEqualTo(dead.subList(0, 2));
		assertThat(table().findDead(queue(), 2, 2)).isEqualTo(dead.subList(2, 3));
		assertThat(table().findDead(queue() + "-2", 0, 10)).isEmpty();
		List<Key> named = List.of(waiting, dead.get(1), dead.get(2), new Key("b", dead.get(0).generation() - 1));
		assertThat(inTransaction(() -> table().deleteDead(queue(), named)))
			.containsExactlyInAnyOrderElementsOf(dead.subList(1, 3));
		assertThat(inTransaction(() -> table().deleteDead(queue(), named))).isEmpty();
		assertThat(inTransaction(() -> table().deleteDead(queue(), List.of()))).isEmpty();
		assertThat(table().findDead(queue(), 0, 10)).isEqualTo(dead.subList(0, 1));
		assertThat(found("waiting").dead()).isFalse();
	}

	@Test
	default void taskThatIsRedrivenWhileItIsPurgedStays() {
		deadLettered("a", "b");
		inTransaction(() -> {
			// in the snapshot of the transaction, if it has one
			List<Key> dead = table().findDead(queue(), 0, 10);
			assertThat(dead).hasSize(2);
			Concurrently.run(1, (i) -> () -> inTransaction(() -> table().revive(queue(), List.of("a"), (id) -> NOW)));
			deleteWhatWasDead(dead);
			return true;
		});
		assertThat(found("a").dead()).isFalse();
	}

	/** While one of two has been redriven since. */
	default void deleteWhatWasDead(List<Key> dead) {
		assertThat(table().deleteDead(queue(), dead)).extracting(Key::taskId).containsExactly("b");
	}

	@Test
	default void someRowsOfAQueueAreClearedAtATime() {
		written("a", "b");
		deadRow("c", CheckTimes.RESTING);
		assertThat(inTransaction(() -> table().clear(queue() + "-2", 2))).isZero();
		assertThat(inTransaction(() -> table().clear(queue(), 2))).isEqualTo(2);
		assertThat(inTransaction(() -> table().clear(queue(), 2))).isOne();
		assertThat(inTransaction(() -> table().clear(queue(), 2))).isZero();
		assertThat(table().versions(queue(), List.of("a", "b", "c"))).isEmpty();
	}

}
