package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.journal.LoaderTable.CheckPosition;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.store.Replacement;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.journal.JournalTableFixture.entry;
import static io.github.delayqueue.journal.JournalTableFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the loader takes and looks at again, and what people look at.
 */
interface JournalLoaderContract extends JournalTableFixture {

	@Test
	default void rowsAreTakenInTheOrderInWhichTheyAreToBeLookedAt() {
		row("c", NOW + 1, NOW - 1);
		row("a", NOW + 2, NOW - 3);
		Key dead = deadRow("b", NOW - 2);
		row("d", NOW - 9, NOW);
		row("later", NOW - 9, NOW + 1);
		List<Row> taken = take(3);
		assertThat(ids(taken)).containsExactly("a", "b", "c");
		assertThat(taken.get(1)).as("as it was before")
			.usingRecursiveComparison()
			.isEqualTo(new Row("b", dead.generation(), NOW, TaskPriority.NORMAL, bytes("b"), true, bytes("failure"),
					NOW - 2));
		assertThat(ids(take(3))).containsExactly("d");
		assertThat(take(3)).isEmpty();
		assertThat(checkOf("later")).isEqualTo(NOW + 1);
		clock().advance(Duration.ofMillis(1));
		assertThat(ids(take(3))).containsExactly("later");
	}

	@Test
	default void takenRowsAreLookedAtAgainInTheirTime() {
		row("soon", NOW + 1, NOW - 60_000);
		row("within-an-hour", NOW + 3_600_000, NOW);
		row("far", CHECKS.horizonMillis(NOW), NOW);
		row("beyond", CHECKS.horizonMillis(NOW) + 5000, NOW);
		row("now", NOW, NOW - 5000);
		row("late", NOW - 30_000, NOW);
		row("later", NOW - 30_001, NOW);
		row("very-late", NOW - 3_600_000, NOW);
		row("latest", NOW - 3_600_001, NOW);
		row("of-the-first-day", 0, NOW);
		deadRow("dead", NOW);
		List<Row> taken = take(500);
		assertThat(taken).hasSize(11);
		assertThat(checkOf("soon")).isEqualTo(NOW + 30_001);
		assertThat(checkOf("within-an-hour")).isEqualTo(NOW + 3_630_000);
		assertThat(checkOf("far")).as("whatever the horizon is by then").isEqualTo(CHECKS.horizonMillis(NOW) - 20_000);
		assertThat(checkOf("beyond")).isEqualTo(CHECKS.horizonMillis(NOW) - 15_000);
		assertThat(checkOf("now")).isEqualTo(NOW + 30_000);
		assertThat(checkOf("late")).isEqualTo(NOW + 30_000);
		assertThat(checkOf("later")).isEqualTo(NOW + 30_001);
		assertThat(checkOf("very-late")).isEqualTo(NOW + 3_600_000);
		assertThat(checkOf("latest")).isEqualTo(NOW + 3_600_000);
		assertThat(checkOf("of-the-first-day")).isEqualTo(NOW + 3_600_000);
		assertThat(checkOf("dead")).isEqualTo(CheckTimes.DIED + NOW + 30_000);
		assertThat(taken).allSatisfy((row) -> assertThat(found(row.taskId())).usingRecursiveComparison()
			.ignoringFields("checkMillis")
			.isEqualTo(row));
	}

	@Test
	default void whatATransactionTookThatIsRolledBackIsTakenAgain() {
		row("a", NOW, NOW - 1);
		transactions().executeWithoutResult((status) -> {
			assertThat(ids(loader().take(queue(), 10, false, LookedAt.NOTHING))).containsExactly("a");
			assertThat(loader().take(queue(), 10, false, LookedAt.NOTHING)).isEmpty();
			status.setRollbackOnly();
		});
		assertThat(checkOf("a")).isEqualTo(NOW - 1);
		assertThat(ids(take(10))).containsExactly("a");
	}

	@Test
	default void batchEndsWhereItHasBecomeTooLarge() {
		byte[] large = new byte[(int) LoaderTable.MAX_TAKEN_BYTES / 4];
		write(IntStream.range(0, 6)
			.mapToObj((i) -> JournalTableFixture.arrival("task-" + i, large, NOW, TaskPriority.NORMAL,
					Replacement.REPLACE, false))
			.toArray(Arrival[]::new));
		IntStream.range(0, 6).forEach((i) -> check("task-" + i, NOW - 6 + i));
		assertThat(ids(take(500))).containsExactly("task-0", "task-1", "task-2", "task-3");
		assertThat(checkOf("task-3")).isEqualTo(NOW + 30_000);
		assertThat(checkOf("task-4")).as("left as it was").isEqualTo(NOW - 2);
		assertThat(checkOf("task-5")).isEqualTo(NOW - 1);
		assertThat(ids(take(500))).containsExactly("task-4", "task-5");
	}

	@Test
	default void rowsAreLookedAtAgainAtOnce() {
		Key taken = row("a", NOW, NOW);
		Key dead = deadRow("dead", NOW);
		Key waiting = row("waiting", NOW, NOW + 9000);
		Key overdue = row("overdue", NOW, NOW - 2);
		Key other = row("other", NOW, NOW + 9000);
		assertThat(take(500)).hasSize(3);
		check("overdue", NOW - 2);
		clock().advance(Duration.ofMillis(5));
		loader().recheck(queue(),
				List.of(taken, new Key("other", other.generation() - 1), dead, waiting, overdue, new Key("gone", 1)));
		assertThat(checkOf("a")).isEqualTo(NOW + 5);
		assertThat(checkOf("dead")).isEqualTo(NOW + 5);
		assertThat(checkOf("waiting")).isEqualTo(NOW + 5);
		assertThat(checkOf("overdue")).as("is looked at before that").isEqualTo(NOW - 2);
		assertThat(checkOf("other")).as("of another generation").isEqualTo(NOW + 9000);
		assertThat(ids(take(500))).startsWith("overdue").containsExactlyInAnyOrder("overdue", "a", "dead", "waiting");
	}

	@Test
	default void whatALostStoreMayHaveHadIsLookedAtAgain() {
		row("taken", NOW + 7000, NOW + 37_000);
		row("taken-when-it-was-due", NOW - 10, NOW + 20_000);
		row("written", NOW + 600_000, NOW + 60_000);
		row("urgent", NOW + 1, NOW + 5000);
		row("overdue-for-long", NOW - 999_999_999, NOW + 3_600_000);
		row("of-the-horizon", CHECKS.horizonMillis(NOW), CHECKS.horizonMillis(NOW) + 30_000);
		row("by-a-clock-that-is-ahead", CHECKS.horizonMillis(NOW) + 30_000, CHECKS.horizonMillis(NOW) + 60_000);
		row("due-next", NOW + 1, NOW + 1);
		recheckLost(NOW, 3);
		assertThat(checkOf("taken")).isEqualTo(NOW);
		assertThat(checkOf("taken-when-it-was-due")).isEqualTo(NOW - 10);
		assertThat(checkOf("written")).isEqualTo(NOW);
		assertThat(checkOf("urgent")).isEqualTo(NOW);
		assertThat(checkOf("overdue-for-long")).isEqualTo(NOW - 999_999_999);
		assertThat(checkOf("of-the-horizon")).isEqualTo(NOW);
		assertThat(checkOf("by-a-clock-that-is-ahead")).isEqualTo(NOW);
		assertThat(checkOf("due-next")).as("looked at in a moment anyway").isEqualTo(NOW + 1);
		assertThat(ids(take(500))).startsWith("overdue-for-long", "taken-when-it-was-due").hasSize(7);
	}

	@Test
	default void whatWasNeverHandedOverStaysAsItIs() {
		row("beyond", CHECKS.horizonMillis(NOW) + 1, CheckTimes.FAR + NOW + 1);
		row("far", NOW + 86_400_000_000L, CheckTimes.FAR + NOW + 86_400_000_000L - HORIZON.toMillis());
		row("to-be-looked-at", NOW - 60_000, NOW);
		row("waits-for-long", NOW - 60_000, NOW - 1000);
		recheckLost(NOW, 2);
		assertThat(checkOf("beyond")).isEqualTo(CheckTimes.FAR + NOW + 1);
		assertThat(checkOf("far")).isEqualTo(CheckTimes.FAR + NOW + 86_400_000_000L - HORIZON.toMillis());
		assertThat(checkOf("to-be-looked-at")).isEqualTo(NOW);
		assertThat(checkOf("waits-for-long")).isEqualTo(NOW - 1000);
	}

	@Test
	default void deadTasksAreLookedAtAgainAfterAllOthers() {
		for (int i = 0; i < 10; i++) {
			deadRow("known-" + i, CheckTimes.RESTING + NOW - i);
			deadRow("new-" + i, CheckTimes.DIED + NOW + 50_000 + i);
			deadRow("just-now-" + i, CheckTimes.DIED + NOW + 60_000);
			row("task-" + i, NOW - 500, NOW + 2 * i);
		}
		assertThat(recheckLost(NOW, 3)).isEqualTo(15);
		clock().advance(Duration.ofMillis(1));
		List<Row> taken = take(500);
		assertThat(taken).hasSize(40);
		assertThat(taken.subList(0, 10)).noneMatch(Row::dead);
		assertThat(taken.subList(10, 40)).allMatch(Row::dead)
			.allSatisfy((row) -> assertThat(row.checkMillis()).isEqualTo(NOW + 1));
	}

	@Test
	default void deadTasksAreTakenInTheirTimeAndAfterAllOthers() {
		deadRow("dead", CheckTimes.DIED + NOW);
		deadRow("later", CheckTimes.DIED + NOW + 1);
		deadRow("known", CheckTimes.RESTING + NOW - 1);
		row("open", NOW, NOW);
		assertThat(ids(take(500))).containsExactly("open");
		assertThat(ids(take(500))).containsExactly("dead");
		assertThat(take(500)).isEmpty();
		clock().advance(Duration.ofMillis(1));
		assertThat(ids(take(500))).containsExactly("later");
	}

	@Test
	default void tasksThatOnlyTheTableHasAndOthersAreTakenInTurn() {
		row("far", CHECKS.horizonMillis(NOW), CheckTimes.FAR + NOW);
		row("far-later", CHECKS.horizonMillis(NOW) + 1, CheckTimes.FAR + NOW + 1);
		row("open", NOW, NOW);
		deadRow("dead", CheckTimes.DIED + NOW);
		for (List<String> order : List.of(List.of("far", "open", "dead"), List.of("open", "far", "dead"))) {
			transactions().executeWithoutResult((status) -> {
				status.setRollbackOnly();
				boolean farFirst = order.get(0).equals("far");
				order.forEach((id) -> assertThat(ids(loader().take(queue(), 500, farFirst, LookedAt.NOTHING)))
					.containsExactly(id));
				assertThat(loader().take(queue(), 500, farFirst, LookedAt.NOTHING)).isEmpty();
			});
		}
	}

	@Test
	default void pagesEndAlthoughRowsAreMovedOnMeanwhile() {
		for (int i = 0; i < 40; i++) {
			row("task-" + i, NOW + 1000 + i / 2, NOW + 31_000 + i / 2);
		}
		List<String> taken = new ArrayList<>();
		CheckPosition next = first(NOW);
		int pages = 0;
		while (next != null) {
			CheckPosition from = next;
			next = inTransaction(() -> loader().recheckLost(queue(), NOW, from, 5));
			// to where they were, which the walk has left behind
			taken.addAll(ids(take(500)));
			assertThat(++pages).isLessThan(40);
		}
		assertThat(taken).contains(IntStream.range(0, 40).mapToObj((i) -> "task-" + i).toArray(String[]::new));
		assertThat(taken).as("only those once more that are at the edge of a page").hasSizeLessThan(40 + pages * 2);
	}

	/** Both walks, as the loader does them; answers how many pages there were. */
	default int recheckLost(long lostAt, int limit) {
		return recheckLost(lostAt, first(lostAt), limit)
				+ recheckLost(lostAt, new CheckPosition(CheckTimes.RESTING, Long.MAX_VALUE, Long.MAX_VALUE), limit);
	}

	private int recheckLost(long lostAt, CheckPosition first, int limit) {
		int pages = 0;
		CheckPosition next = first;
		while (next != null) {
			CheckPosition from = next;
			next = inTransaction(() -> loader().recheckLost(queue(), lostAt, from, limit));
			assertThat(++pages).as("it ends").isLessThan(1000);
		}
		return pages;
	}

	/** Where the walk begins. */
	static CheckPosition first(long lostAt) {
		return new CheckPosition(lostAt, CHECKS.latest(lostAt), Long.MAX_VALUE);
	}

	@Test
	default void storedTasksAreListedByDueTimeAndGeneration() {
		long horizon = CHECKS.horizonMillis(NOW);
		write(entry("now", "now", NOW), entry("within", "within", horizon));
		stored("c", 2);
		stored("a", 2);
		stored("b", 1);
		stored("d", 3);
		row("handed", horizon + 1, horizon + 30_001);
		assertThat(ids(table().far().list(queue(), 0, 10, 0))).containsExactly("b", "c", "a", "d");
		assertThat(ids(table().far().list(queue(), 1, 2, 0))).containsExactly("c", "a");
		assertThat(table().far().list(queue(), 1, 1, 0).get(0).envelope()).isNull();
		assertThat(table().far().list(queue(), 1, 1, Integer.MAX_VALUE).get(0)).usingRecursiveComparison()
			.isEqualTo(found("c"));
		assertThat(table().far().list(queue(), 4, 10, Integer.MAX_VALUE)).isEmpty();
		write(entry("large", "larger", horizon + 9));
		assertThat(table().far().list(queue(), 3, 2, 5)).extracting((row) -> row.envelope() != null)
			.containsExactly(true, false);
		clock().advance(Duration.ofMillis(1));
		assertThat(ids(take(10))).containsExactly("b");
		assertThat(ids(table().far().list(queue(), 0, 10, 0))).containsExactly("c", "a", "d", "large");
	}

	/** A task that is due so long after the horizon, with a generation of its own. */
	private void stored(String taskId, long afterHorizon) {
		write(entry(taskId, taskId, CHECKS.horizonMillis(NOW) + afterHorizon));
		clock().set(clock().instant().plusNanos(1000));
	}

	@Test
	default void storedTasksAreCountedByBars() {
		long horizon = CHECKS.horizonMillis(NOW);
		stored("b", 1);
		stored("c", 2);
		stored("d", 9);
		stored("e", 10);
		stored("f", 20_000_000_000L);
		write(entry("now"), entry("within", "within", horizon));
		row("handed", horizon + 5, horizon + 30_005);
		deadRow("dead", CheckTimes.RESTING);
		Instant start = Instant.ofEpochMilli(horizon);
		Forecast.Bars bars = new Forecast.Bars(start, Duration.ofMillis(2), 5);
		assertThat(table().far().count(queue(), bars, 10)).containsExactly(1, 1, 0, 0, 1, 1);
		assertThat(table().far().count(queue() + "-2", bars, 10)).containsOnly(0);
		assertThat(table().far().count(queue(), bars, 2)).as("at most").containsExactly(1, 1, 0, 0, 0, 0);
		bars = new Forecast.Bars(start.plusMillis(5), Duration.ofMillis(5), 120);
		assertThat(table().far().count(queue(), bars, 10)).as("the first bar begins now")
			.startsWith(3, 1, 0)
			.hasSize(121);
	}

	@Test
	default void firstOfTheStoredTasksIsFound() {
		long horizon = CHECKS.horizonMillis(NOW);
		stored("a", 7);
		stored("b", 5);
		write(entry("within", "within", horizon));
		row("handed", horizon + 1, horizon + 30_001);
		assertThat(table().far().first(queue())).contains(horizon + 5);
		clock().set(START.plusMillis(5));
		assertThat(ids(take(10))).containsExactly("b");
		assertThat(table().far().first(queue())).contains(horizon + 7);
		clock().set(START.plusMillis(7));
		assertThat(ids(take(10))).containsExactly("a");
		assertThat(table().far().first(queue())).isEmpty();
	}

	@Test
	default void epochIsRememberedByPartition() {
		String partition = queue() + "#1";
		assertThat(claim(queue())).contains(Epoch.NONE);
		assertThat(remember(queue(), Epoch.NONE, new Epoch("first", 7))).isTrue();
		assertThat(claim(partition)).contains(Epoch.NONE);
		clock().advance(Duration.ofMillis(1));
		assertThat(claim(queue())).contains(new Epoch("first", 7));
		assertThat(remember(queue(), new Epoch("first", 7), new Epoch("second", Long.MAX_VALUE))).isTrue();
		clock().advance(Duration.ofMillis(1));
		assertThat(claim(queue())).contains(new Epoch("second", Long.MAX_VALUE));
		assertThat(remember(partition, Epoch.NONE, new Epoch("third", 1))).isTrue();
	}

	@Test
	default void epochIsHeldForLonger() {
		assertThat(claim(queue())).isPresent();
		clock().advance(Duration.ofSeconds(9));
		assertThat(inTransaction(() -> loader().holdEpoch(queue(), LoaderTable.CLAIM))).isOne();
		clock().advance(Duration.ofSeconds(10));
		assertThat(claim(queue())).isEmpty();
		clock().advance(Duration.ofMillis(1));
		assertThat(claim(queue())).isPresent();
		assertThat(inTransaction(() -> loader().holdEpoch(queue() + "-2", LoaderTable.CLAIM))).isZero();
	}

	@Test
	default void timeOfAClockThatIsSetBackDoesNotBlock() {
		clock().advance(Duration.ofDays(1));
		claim(queue());
		remember(queue(), Epoch.NONE, new Epoch("first", 1));
		clock().set(START);
		assertThat(claim(queue())).contains(new Epoch("first", 1));
		assertThat(claim(queue())).as("by somebody of our time").isEmpty();
		clock().advance(Duration.ofSeconds(-10));
		assertThat(claim(queue())).as("by somebody whose clock is a bit ahead").isEmpty();
		clock().advance(Duration.ofMillis(-1));
		assertThat(claim(queue())).contains(new Epoch("first", 1));
	}

	@Test
	default void partitionsAreKnownByTheirEpochs() {
		String partition = queue() + "#1";
		claim(partition);
		claim(queue());
		assertThat(loader().epochs()).contains(
				new RememberedEpoch(queue(), Epoch.NONE, NOW + LoaderTable.CLAIM.toMillis()),
				new RememberedEpoch(partition, Epoch.NONE, NOW + LoaderTable.CLAIM.toMillis()));
	}

	@Test
	default void epochsAreClaimedAndRenewedTogether() {
		List<String> partitions = List.of(queue() + "#2", queue(), queue() + "#1");
		partitions.forEach(this::claim);
		remember(queue(), Epoch.NONE, new Epoch("first", 7));
		clock().advance(LoaderTable.CLAIM.plusMillis(1));
		remember(queue() + "#2", Epoch.NONE, new Epoch("second", 1));
		long now = clock().millis();
		assertThat(loader().claimEpochs(partitions, now, now + 10_007)).containsExactlyInAnyOrder(
				new RememberedEpoch(queue(), new Epoch("first", 7), now + 10_007),
				new RememberedEpoch(queue() + "#1", Epoch.NONE, now + 10_007));
		assertThat(claim(queue())).as("claimed").isEmpty();
		assertThat(loader().claimEpochs(partitions, now, now + 10_008)).isEmpty();
		assertThat(updated()).containsExactly(now + 10_007, now + 10_007, now);
		clock().advance(Duration.ofSeconds(1));
		loader().renewEpochs(partitions.subList(0, 2), now + 10_007);
		loader().renewEpochs(partitions.subList(1, 3), now + 10_006);
		assertThat(updated()).containsExactly(now + 1000, now + 10_007, now);
		assertThat(claim(queue() + "#2")).contains(new Epoch("second", 1));
		loader().giveBackEpochs(partitions, now + 10_007);
		assertThat(updated()).containsExactly(now + 1000, 0L, now + 11_000);
		assertThat(claim(queue() + "#1")).contains(Epoch.NONE);
		clock().advance(Duration.ofMillis(1));
		assertThat(claim(queue())).contains(new Epoch("first", 8));
	}

	/** When the epochs of the queue's partitions were renewed, in their order. */
	private List<Long> updated() {
		return loader().epochs()
			.stream()
			.filter((epoch) -> epoch.queue().equals(queue()))
			.sorted(Comparator.comparing(RememberedEpoch::partition))
			.map(RememberedEpoch::updatedMillis)
			.toList();
	}

	@Test
	default void queuesWithRowsToBeTakenAreFound() {
		assertThat(toBeTaken(LookedAt.NOTHING)).isEmpty();
		row("later", NOW, NOW + 1);
		row("far-later", NOW, CheckTimes.FAR + NOW + 1);
		deadRow("dead-later", CheckTimes.DIED + NOW + 1);
		deadRow("known", CheckTimes.RESTING + NOW - 1);
		assertThat(toBeTaken(LookedAt.NOTHING)).isEmpty();
		LookedAt everything = LookedAt.everythingAt(NOW);
		for (long range : List.of(0L, CheckTimes.FAR, CheckTimes.DIED)) {
			row("due", NOW, range + NOW);
			assertThat(toBeTaken(LookedAt.NOTHING)).containsExactly(queue());
			assertThat(toBeTaken(everything)).containsExactly(queue());
			check("due", range + NOW - 5001);
			assertThat(toBeTaken(LookedAt.NOTHING)).containsExactly(queue());
			assertThat(toBeTaken(everything)).as("has been looked at").isEmpty();
			assertThat(inTransaction(() -> loader().take(queue(), 500, false, everything))).isEmpty();
			assertThat(ids(take(500))).containsExactly("due");
			check("due", NOW + 1);
		}
	}

	private Set<String> toBeTaken(LookedAt lookedAt) {
		return loader().toBeTaken(Map.of(queue(), lookedAt, queue() + "-2", lookedAt, queue().substring(1), lookedAt));
	}

	@Test
	default void manyRowsOfAQueueHideNoOther() {
		for (int batch = 0; batch < 3; batch++) {
			String prefix = "task-" + batch + "-";
			written(IntStream.range(0, 500).mapToObj((i) -> prefix + i).toArray(String[]::new));
		}
		String other = queue() + "-2";
		inTransaction(() -> table().write(other, List.of(entry("a")), -1));
		clock().advance(Duration.ofMinutes(2));
		assertThat(loader().toBeTaken(Map.of(queue(), LookedAt.NOTHING, other, LookedAt.NOTHING)))
			.containsExactlyInAnyOrder(queue(), other);
	}

	/** As somebody to whom everything is too old that is not of this moment. */
	private Optional<Epoch> claim(String partition) {
		long until = clock().millis() + LoaderTable.CLAIM.toMillis();
		return inTransaction(() -> claim(loader(), partition, clock().millis(), until));
	}

	static Optional<Epoch> claim(LoaderTable loader, String partition, long renewedBefore, long until) {
		return loader.insertEpoch(partition, "", until).isEmpty() ? Optional.of(Epoch.NONE)
				: loader.claimEpochs(List.of(partition), renewedBefore, until)
					.stream()
					.map(RememberedEpoch::epoch)
					.findFirst();
	}

	private boolean remember(String partition, Epoch before, Epoch now) {
		return inTransaction(() -> loader().remember(partition, before, now));
	}

}
