package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.journal.LoaderTable.CheckPosition;
import io.github.delayqueue.roles.Forecast;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many rows a database reads, whatever its planner knows of them: a statement that
 * goes by the wrong index takes seconds, and locks what others need.
 */
interface JournalReadsContract extends JournalTableFixture {

	/** Tasks that are due long after the horizon. */
	int FAR = 200_000;

	/** Dead ones that the store knows as dead. */
	int DEAD = 10_000;

	/** Tasks that the store has. */
	int HANDED = 30_000;

	/** How many rows the connection of the transaction has read so far. */
	long rowsRead();

	/** A table of the numbers from 1 to n, in a column with this name. */
	String numbers(int n);

	/** Let the planner know what is there. */
	void analyze();

	/** What to set in a transaction for different plans. */
	default List<String> settings() {
		return List.of("SET @none = 0");
	}

	@Test
	default void fewRowsAreRead() {
		// another queue is all that the planner knows of
		inTransaction(() -> table().write(queue() + "-2",
				IntStream.range(0, 500).mapToObj((i) -> JournalTableFixture.entry("task-" + i)).toList(), -1));
		analyze();
		insert(FAR, "far", String.format(Locale.ROOT, "%1$d + 86400000 + %2$d + 1000 * n", NOW, HORIZON.toMillis()),
				String.format(Locale.ROOT, "%d + 1000 * n", CheckTimes.FAR + NOW + 86_400_000), "NULL");
		insert(DEAD, "dead", String.format(Locale.ROOT, "%d - n", NOW),
				String.format(Locale.ROOT, "%d - n", CheckTimes.RESTING + NOW), "1");
		insert(HANDED, "handed", String.format(Locale.ROOT, "%d + 1000 + n", NOW),
				String.format(Locale.ROOT, "%d + 31000 + n", NOW), "NULL");
		insert(500, "now", "" + NOW, String.format(Locale.ROOT, "%d - n", NOW), "NULL");
		settings().forEach(this::fewRowsAreReadByLoaders);
		analyze();
		settings().forEach((setting) -> {
			fewRowsAreReadByLoaders(setting);
			fewRowsAreReadForPeople(setting);
		});
	}

	private void insert(int count, String name, String due, String check, String dead) {
		jdbc()
			.sql("INSERT INTO delay_queue_task (queue, task_id, generation, due_at, priority, envelope, check_at, "
					+ "dead_at, revision) SELECT ?, CONCAT('" + name + "-', n), 1000 * n, " + due + ", 'NORMAL', '{}', "
					+ check + ", " + dead + ", 1 FROM " + numbers(count))
			.param(queue())
			.update();
	}

	private void fewRowsAreReadByLoaders(String setting) {
		Map<String, LookedAt> looks = IntStream.range(0, 100)
			.mapToObj((i) -> queue() + "-idle-" + i)
			.collect(Collectors.toMap(Function.identity(), (queue) -> LookedAt.NOTHING));
		assertThat(reads(setting, () -> assertThat(loader().toBeTaken(looks)).isEmpty())).as("look: none")
			.isLessThan(1000);
		looks.put(queue(), LookedAt.NOTHING);
		assertThat(reads(setting, () -> assertThat(loader().toBeTaken(looks)).containsExactly(queue()))).as("look")
			.isLessThan(2000);
		assertThat(reads(setting, () -> assertThat(loader().take(queue(), 500, true, LookedAt.NOTHING)).hasSize(500)))
			.as("take")
			.isLessThan(5000);
		fewRowsAreReadByKeys(setting);
		fewRowsAreReadWhenTheStoreWasLost(setting);
	}

	private void fewRowsAreReadByKeys(String setting) {
		List<Key> keys = IntStream.rangeClosed(1, 500).mapToObj((i) -> new Key("far-" + i * 7, 7000L * i)).toList();
		List<String> ids = keys.stream().map(Key::taskId).toList();
		List<String> dead = IntStream.rangeClosed(1, 500).mapToObj((i) -> "dead-" + i * 7).toList();
		Map<Key, Long> runs = keys.stream().collect(Collectors.toMap(Function.identity(), (key) -> Long.MAX_VALUE / 2));
		Map<String, Runnable> steps = Map.of("versions", () -> assertThat(table().versions(queue(), ids)).hasSize(500),
				"delete", () -> assertThat(table().delete(queue(), keys)).hasSize(500), "recheck",
				() -> loader().recheck(queue(), keys), "repeat", () -> table().repeat(queue(), runs), "revive",
				() -> assertThat(table().revive(queue(), dead, (id) -> NOW)).hasSize(500), "purge",
				() -> assertThat(table().deleteDead(queue(), table().findDead(queue(), 0, 500))).hasSize(500), "write",
				() -> assertThat(table().write(queue(), ids.stream().map(JournalTableFixture::entry).toList(), -1))
					.hasSize(500),
				"reject",
				() -> assertThat(table().write(queue(), ids.stream().map(JournalTableFixture::rejecting).toList(), -1))
					.hasSize(500));
		steps.forEach((name, step) -> assertThat(reads(setting, step)).as(name).isLessThan(5000));
		Map<String, Runnable> ofOne = Map.of("bury", () -> table().deadLetter(queue(), keys.get(0), null), "move",
				() -> table().move(queue(), ids.get(0), 7000, 7001, NOW, false, false), "lock",
				() -> table().lock(queue(), ids.get(0)), "purge: none",
				() -> assertThat(table().findDead(queue() + "-2", 0, 500)).isEmpty());
		ofOne.forEach((name, step) -> assertThat(reads(setting, step)).as(name).isLessThan(500));
	}

	private void fewRowsAreReadWhenTheStoreWasLost(String setting) {
		CheckPosition first = JournalLoaderContract.first(NOW);
		CheckPosition dead = new CheckPosition(CheckTimes.RESTING, Long.MAX_VALUE, Long.MAX_VALUE);
		assertThat(reads(setting, () -> {
			CheckPosition second = loader().recheckLost(queue(), NOW, first, 1000);
			assertThat(second).isEqualTo(new CheckPosition(NOW, NOW + 30_001 + HANDED, 1000L * (HANDED - 999)));
		})).as("recheckLost").isLessThan(20_000);
		assertThat(reads(setting, () -> assertThat(loader().recheckLost(queue(), NOW, dead, 1000)).isNotNull()))
			.as("recheckLost: dead")
			.isLessThan(10_000);
		assertThat(
				reads(setting,
						() -> assertThat(loader().recheckLost(queue(), NOW,
								new CheckPosition(NOW, NOW + 30_000, Long.MAX_VALUE), 1000))
							.isNull()))
			.as("recheckLost: none")
			.isLessThan(1000);
	}

	private void fewRowsAreReadForPeople(String setting) {
		FarTable far = table().far();
		long due = CHECKS.horizonMillis(NOW) + 86_400_000;
		Forecast.Bars bars = new Forecast.Bars(Instant.ofEpochMilli(due), Duration.ofSeconds(10), 100);
		Map<String, Runnable> steps = Map.of("list",
				() -> assertThat(JournalTableFixture.ids(far.list(queue(), 0, 50, 0))).startsWith("far-1").hasSize(50),
				"list with contents", () -> assertThat(far.list(queue(), 0, 50, 1000)).hasSize(50), "first",
				() -> assertThat(far.first(queue())).contains(due + 1000), "count",
				() -> assertThat(far.count(queue(), List.of(due + 10_000), 1000)).containsExactly(9, 991),
				"forecast of a few", () -> assertThat(far.count(queue(), bars, 500)).startsWith(9, 10).endsWith(0, 0));
		steps.forEach((name, step) -> assertThat(reads(setting, step)).as(name).isLessThan(4000));
		assertThat(reads(setting, () -> assertThat(far.count(queue(), bars, FAR)).startsWith(9, 10).hasSize(101)))
			.as("forecast: those that may be due before it ends")
			.isLessThan(4 * (1000 + HORIZON.toSeconds()));
	}

	/** How many rows a step reads. What it does is taken back. */
	default long reads(String setting, Runnable step) {
		return transactions().execute((status) -> {
			status.setRollbackOnly();
			jdbc().sql(setting).update();
			long before = rowsRead();
			step.run();
			return rowsRead() - before;
		});
	}

}
