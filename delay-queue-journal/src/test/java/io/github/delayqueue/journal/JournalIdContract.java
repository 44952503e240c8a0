package io.github.delayqueue.journal;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.roles.Epoch;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.journal.JournalTableFixture.entry;
import static io.github.delayqueue.journal.JournalTableFixture.ids;
import static io.github.delayqueue.journal.JournalTableFixture.rejecting;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever an id looks like, it is told from every other one.
 */
interface JournalIdContract extends JournalTableFixture {

	/** Each pair looks alike to some collation, or means something to some syntax. */
	List<String> IDS = List.of("id", "ID", "Id", "id ", "id  ", " id", "i d", "ıd", "íd", "i\u0301d", "ﬁ", "fi", "ß",
			"ss", "ẞ", "Ä", "A\u0308", "Å", "\u212b", "ａ", "a", "ñ", "n\u0303", "漢字", "😀", "😁", "\uFFFD", "?", "'",
			"''", "\"", "\\", "\\\\", "\\'", "%", "_", "{}", "{a,b}", "NULL", "null", ";--", "/*", "$1", ":name", "?1",
			"x".repeat(256), "x".repeat(255), "é".repeat(128), "漢".repeat(85) + "a", "😀".repeat(64), "\u00a0",
			"\u3000", "a\u200bb", "ab", "\u200f", "1", "01", "1.0", "1e0", "0x31");

	/** What somebody may have put into Redis. */
	List<String> IMPOSSIBLE_IDS = List.of("", "a\u0000", "\n", "a\u0085", "a\uDC80", "\uD83D", "x".repeat(257),
			"x".repeat(100_000));

	@Test
	default void idsAreToldApart() {
		List<Arrival> entries = IDS.stream().map((id) -> entry(id, id, CHECKS.horizonMillis(NOW) + 1)).toList();
		assertThat(inTransaction(() -> table().write(queue(), entries, -1))).extracting(WriteResult::outcome)
			.containsOnly(ScheduleOutcome.CREATED);
		assertThat(table().versions(queue(), IDS)).containsOnlyKeys(IDS);
		assertThat(IDS).allSatisfy((id) -> assertThat(found(id).envelope()).isEqualTo(bytes(id)));
		assertThat(ids(table().far().list(queue(), 0, 500, 0))).containsExactlyInAnyOrderElementsOf(IDS);
		assertThat(write(IDS.stream().map(JournalTableFixture::rejecting).toArray(Arrival[]::new)))
			.extracting(WriteResult::outcome)
			.containsOnly(ScheduleOutcome.REJECTED);
	}

	/** A loader would take it again and again. */
	@Test
	default void rowThatSomebodyHasWrittenWithAnImpossibleIdIsMovedOnAllTheSame() {
		written("a");
		jdbc().sql("UPDATE delay_queue_task SET task_id = ? WHERE queue = ?").params("\n", queue()).update();
		clock().advance(CheckTimes.URGENT);
		assertThat(ids(take(500))).containsExactly("\n");
		assertThat(take(500)).isEmpty();
	}

	@Test
	default void oneOfAllIdsIsChangedAtATime() {
		List<Key> keys = written(IDS.toArray(String[]::new));
		for (Key key : keys) {
			assertThat(table().move(queue(), key.taskId(), MICROS, MICROS, NOW + 1, false, false)).isTrue();
			assertThat(table().deadLetter(queue(), key, null)).isTrue();
			assertThat(table().versions(queue(), IDS).values()).filteredOn(Row::dead).hasSize(1);
			loader().recheck(queue(), List.of(key));
			assertThat(ids(take(500))).containsExactly(key.taskId());
			assertThat(inTransaction(() -> table().lock(queue(), key.taskId()))).isPresent();
			assertThat(inTransaction(() -> table().revive(queue(), List.of(key.taskId()), (id) -> NOW)))
				.containsExactly(key.taskId());
			assertThat(inTransaction(() -> table().delete(queue(), List.of(key)))).containsExactly(key);
			assertThat(find(key.taskId())).isEmpty();
		}
	}

	@Test
	default void idThatNoTaskCanHaveHasNoRow() {
		// what unpaired surrogates become in UTF-8, and what some databases make of
		// others
		written("a?", "?", "a", "x".repeat(256));
		List<Key> keys = IMPOSSIBLE_IDS.stream().map((id) -> new Key(id, MICROS)).toList();
		assertThat(table().versions(queue(), IMPOSSIBLE_IDS)).isEmpty();
		assertThat(table().versions(queue(), Stream.concat(IMPOSSIBLE_IDS.stream(), Stream.of("a")).toList()))
			.containsOnlyKeys("a");
		assertThat(inTransaction(() -> table().delete(queue(), keys))).isEmpty();
		assertThat(inTransaction(() -> table().revive(queue(), IMPOSSIBLE_IDS, (id) -> NOW))).isEmpty();
		keys.forEach((key) -> assertThat(table().deadLetter(queue(), key, null)).isFalse());
		table().repeat(queue(), keys.stream().collect(Collectors.toMap((key) -> key, (key) -> NOW + 1)));
		assertThat(IMPOSSIBLE_IDS).allSatisfy((id) -> {
			assertThat(find(id)).isEmpty();
			assertThat(inTransaction(() -> table().lock(queue(), id))).isEmpty();
			assertThat(table().move(queue(), id, MICROS, MICROS + 1, NOW, false, false)).isFalse();
		});
		assertThat(count()).isEqualTo(4);
	}

	@Test
	default void longestNamesOfQueuesAndPartitionsAreTaken() {
		String longest = "Q".repeat(128);
		doInTransaction(() -> {
			table().write(longest, List.of(entry("a"), rejecting("b")), -1);
			table().write("q".repeat(128), List.of(entry("a")), -1);
			table().write("Q".repeat(127), List.of(entry("a")), -1);
			assertThat(loader().insertEpoch(longest + "#999999", "", NOW)).isEmpty();
			assertThat(loader().remember(longest + "#999999", Epoch.NONE, new Epoch("incarnation", 1))).isTrue();
		});
		assertThat(table().clear(longest)).isEqualTo(2);
		assertThat(table().clear("q".repeat(128))).isOne();
		assertThat(table().clear("Q".repeat(127))).isOne();
	}

}
