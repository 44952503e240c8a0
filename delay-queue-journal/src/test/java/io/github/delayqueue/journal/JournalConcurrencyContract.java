package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.journal.LoaderTable.CheckPosition;
import io.github.delayqueue.roles.Epoch;

import static io.github.delayqueue.journal.JournalTableFixture.entry;
import static io.github.delayqueue.journal.JournalTableFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several transactions at a time.
 */
interface JournalConcurrencyContract extends JournalTableFixture {

	int THREADS = 8;

	@Test
	default void oneOfManyCreatesATaskThatAllReplace() {
		for (int round = 0; round < 20; round++) {
			String taskId = "task-" + round;
			List<WriteResult> written = Concurrently.run(THREADS,
					(i) -> () -> retried(() -> write(entry(taskId)).get(0)));
			assertThat(written).extracting(WriteResult::outcome)
				.containsOnlyOnce(ScheduleOutcome.CREATED)
				.containsOnly(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED);
			assertThat(written).extracting(WriteResult::generation).doesNotHaveDuplicates();
			assertThat(found(taskId).generation()).isEqualTo(MICROS + THREADS - 1);
		}
	}

	@Test
	default void rejectedTaskDoesNotKeepOthersOfItsBatchOut() {
		for (int round = 0; round < 10; round++) {
			String prefix = round + "-";
			List<List<WriteResult>> written = Concurrently.run(THREADS,
					(i) -> () -> retried(() -> write(JournalTableFixture.rejecting(prefix + "shared"),
							JournalTableFixture.rejecting(prefix + i))));
			assertThat(written).extracting((batch) -> batch.get(0).outcome()).containsOnlyOnce(ScheduleOutcome.CREATED);
			assertThat(written).extracting((batch) -> batch.get(1).outcome()).containsOnly(ScheduleOutcome.CREATED);
			for (int i = 0; i < THREADS; i++) {
				assertThat(find(prefix + i)).isPresent();
			}
		}
	}

	@Test
	default void batchesOfTheSameTasksInAnotherOrderAreAllWritten() {
		List<String> taskIds = IntStream.range(0, 60).mapToObj((i) -> "task-" + i).toList();
		List<List<WriteResult>> written = Concurrently.run(THREADS, (i) -> () -> {
			List<String> shuffled = new ArrayList<>(taskIds);
			Collections.shuffle(shuffled, new Random(i));
			Arrival[] entries = shuffled.stream()
				.map((id) -> (i % 2 == 0) ? entry(id) : JournalTableFixture.rejecting(id))
				.toArray(Arrival[]::new);
			return retried(() -> write(entries));
		});
		assertThat(written.stream().flatMap(List::stream).map(WriteResult::outcome))
			.filteredOn(ScheduleOutcome.CREATED::equals)
			.hasSize(60);
		assertThat(table().versions(queue(), taskIds)).hasSize(60);
	}

	@Test
	default void taskThatComesAndGoesIsWrittenOrRejected() {
		List<List<WriteResult>> written = Concurrently.run(4, (i) -> () -> {
			List<WriteResult> mine = new ArrayList<>();
			for (int round = 0; round < 50; round++) {
				WriteResult latest = retried(() -> write(JournalTableFixture.rejecting("a")).get(0));
				mine.add(latest);
				retried(() -> inTransaction(() -> table().delete(queue(), List.of(new Key("a", latest.generation())))));
			}
			return mine;
		});
		assertThat(written).allSatisfy((mine) -> assertThat(mine).hasSize(50)
			.extracting(WriteResult::outcome)
			.doesNotContain(ScheduleOutcome.REPLACED));
	}

	@Test
	default void oneOfManyDeletesARow() {
		List<Key> keys = written(IntStream.range(0, 100).mapToObj((i) -> "task-" + i).toArray(String[]::new));
		List<Set<Key>> deleted = Concurrently.run(4,
				(i) -> () -> retried(() -> inTransaction(() -> table().delete(queue(), keys))));
		assertThat(deleted.stream().flatMap(Set::stream)).containsExactlyInAnyOrderElementsOf(keys);
	}

	@Test
	default void loadersLoadEachTaskOnce() {
		String[] taskIds = dueNow(400);
		List<List<String>> loaded = Concurrently.run(4, (i) -> () -> {
			List<String> mine = new ArrayList<>();
			while (toBeChecked() > 0) {
				mine.addAll(retried(() -> load(20)));
			}
			return mine;
		});
		assertThat(loaded.stream().flatMap(List::stream)).containsExactlyInAnyOrder(taskIds);
	}

	/** Tasks that a loader looks at now. */
	private String[] dueNow(int count) {
		String[] taskIds = IntStream.range(0, count).mapToObj((i) -> "task-" + i).toArray(String[]::new);
		loader().recheck(queue(), written(taskIds));
		return taskIds;
	}

	private long toBeChecked() {
		return jdbc().sql("SELECT COUNT(*) FROM delay_queue_task WHERE queue = ? AND check_at <= ?")
			.params(queue(), NOW)
			.query(Long.class)
			.single();
	}

	private List<String> load(int limit) {
		return readCommitted().execute((status) -> ids(loader().take(queue(), limit, false, LookedAt.NOTHING)));
	}

	@Test
	default void whatSomebodyHoldsIsPassedOverAndTakenLater() {
		dueNow(7);
		CyclicBarrier steps = new CyclicBarrier(2);
		List<List<String>> taken = Concurrently.run(2, (i) -> () -> {
			if (i == 0) {
				transactions().executeWithoutResult((status) -> {
					table().lock(queue(), "task-0");
					table().lock(queue(), "task-3");
					Concurrently.meet(steps);
					Concurrently.meet(steps);
					status.setRollbackOnly();
				});
				return List.of();
			}
			Concurrently.meet(steps);
			// fewer than there are, and only those that somebody holds come first
			List<String> batch = new ArrayList<>(load(2));
			batch.addAll(load(500));
			Concurrently.meet(steps);
			return batch;
		});
		assertThat(taken.get(1)).containsExactlyInAnyOrder("task-1", "task-2", "task-4", "task-5", "task-6");
		assertThat(ids(take(500))).containsExactlyInAnyOrder("task-0", "task-3");
	}

	@Test
	default void tasksThatSomebodyTakesDoNotHinderScheduling() {
		loader().recheck(queue(), written("a", "c"));
		CyclicBarrier steps = new CyclicBarrier(2);
		Concurrently.run(2, (i) -> () -> {
			if (i == 0) {
				readCommitted().executeWithoutResult((status) -> {
					assertThat(loader().take(queue(), 10, false, LookedAt.NOTHING)).hasSize(2);
					Concurrently.meet(steps);
					Concurrently.meet(steps);
				});
			}
			else {
				Concurrently.meet(steps);
				write(entry("b"), JournalTableFixture.rejecting("d"));
				Concurrently.meet(steps);
			}
			return i;
		});
		assertThat(find("b")).isPresent();
	}

	@Test
	default void allThatMayBeLostIsTakenAlthoughLoadersMoveItOnMeanwhile() {
		Arrival[] entries = IntStream.range(0, 300)
			.mapToObj((i) -> entry("task-" + i, "", NOW + 1000 + i))
			.toArray(Arrival[]::new);
		write(entries);
		jdbc().sql("UPDATE delay_queue_task SET check_at = due_at + 30000 WHERE queue = ?").param(queue()).update();
		Set<String> taken = ConcurrentHashMap.newKeySet();
		AtomicBoolean through = new AtomicBoolean();
		List<Integer> pages = Concurrently.run(3, (i) -> () -> {
			if (i == 0) {
				int count = recheckLost(7);
				through.set(true);
				return count;
			}
			while (!through.get()) {
				taken.addAll(retried(() -> load(20)));
			}
			return 0;
		});
		taken.addAll(ids(take(500)));
		if (table().locksGaps()) {
			// who takes rows locks for a moment what comes next, and that is passed over:
			// it is looked at when its time has come
			clock().advance(Duration.ofSeconds(40));
			taken.addAll(ids(take(500)));
		}
		assertThat(taken).hasSize(300);
		assertThat(pages.get(0)).as("each page is but for one row about others").isBetween(300 / 7, 300 / 6 + 1);
	}

	/** Goes through what may be lost; answers how many pages there were. */
	private int recheckLost(int limit) {
		int pages = 0;
		CheckPosition next = JournalLoaderContract.first(NOW);
		while (next != null) {
			CheckPosition from = next;
			next = retried(() -> readCommitted().execute((status) -> loader().recheckLost(queue(), NOW, from, limit)));
			pages++;
		}
		return pages;
	}

	@Test
	default void whatIsLockedIsNotWaitedForWhereTasksMayBeLost() {
		for (int i = 0; i < 10; i++) {
			row("task-" + i, NOW, NOW + 10_000 + i);
		}
		CyclicBarrier steps = new CyclicBarrier(2);
		Concurrently.run(2, (i) -> () -> {
			if (i == 0) {
				doInTransaction(() -> {
					table().lock(queue(), "task-9");
					table().lock(queue(), "task-4");
					Concurrently.meet(steps);
					Concurrently.meet(steps);
				});
			}
			else {
				Concurrently.meet(steps);
				try {
					recheckLostWhileSomeIsLocked();
				}
				finally {
					Concurrently.meet(steps);
				}
			}
			return i;
		});
	}

	/** While two of ten rows are locked by somebody else. */
	default void recheckLostWhileSomeIsLocked() {
		assertThat(recheckLost(3)).isEqualTo(3);
		assertThat(IntStream.range(0, 10).filter((i) -> checkOf("task-" + i) > NOW)).containsExactly(4, 9);
	}

	@Test
	default void replacementWaitsForTheOneThatHoldsTheRow() {
		written("a");
		CyclicBarrier locked = new CyclicBarrier(2);
		List<WriteResult> written = Concurrently.run(2, (i) -> () -> inTransaction(() -> {
			if (i == 0) {
				table().lock(queue(), "a");
				Concurrently.meet(locked);
				table().move(queue(), "a", MICROS, MICROS + 10, NOW + 1, false, false);
				return new WriteResult(ScheduleOutcome.REPLACED, 0);
			}
			Concurrently.meet(locked);
			return table().write(queue(), List.of(entry("a")), -1).get(0);
		}));
		assertThat(written.get(1)).isEqualTo(new WriteResult(ScheduleOutcome.REPLACED, MICROS + 11));
		assertThat(found("a").dueMillis()).isEqualTo(NOW);
	}

	@Test
	default void epochIsClaimedByOneOfMany() {
		for (int round = 0; round < 10; round++) {
			Epoch before = (round == 0) ? Epoch.NONE : new Epoch("i", round);
			long now = clock().millis();
			List<Optional<Epoch>> epochs = Concurrently.run(THREADS,
					(i) -> () -> retried(() -> readCommitted().execute((status) -> JournalLoaderContract.claim(loader(),
							queue(), now, now + LoaderTable.CLAIM.toMillis()))));
			assertThat(epochs.stream().flatMap(Optional::stream)).containsExactly(before);
			Epoch after = new Epoch("i", round + 1);
			assertThat(inTransaction(() -> loader().remember(queue(), before, after))).isTrue();
			clock().advance(Duration.ofMillis(1));
		}
	}

	@Test
	default void epochIsRememberedByOneOfMany() {
		inTransaction(() -> loader().insertEpoch(queue(), "", NOW));
		for (int round = 0; round < 10; round++) {
			Epoch before = (round == 0) ? Epoch.NONE : new Epoch("i", round);
			Epoch after = new Epoch("i", round + 1);
			List<Boolean> remembered = Concurrently.run(THREADS,
					(i) -> () -> retried(() -> inTransaction(() -> loader().remember(queue(), before, after))));
			assertThat(remembered).containsOnlyOnce(true);
		}
	}

	@Test
	default void deadlockIsAConcurrencyFailure() {
		written("a", "b");
		CyclicBarrier locked = new CyclicBarrier(2);
		List<Throwable> failures = failuresOf((i) -> inTransaction(() -> {
			table().lock(queue(), (i == 0) ? "a" : "b");
			Concurrently.meet(locked);
			return table().lock(queue(), (i == 0) ? "b" : "a");
		}));
		assertThat(failures).isNotEmpty().allSatisfy(JournalConcurrencyContract::isConcurrencyFailure);
	}

	@Test
	default void whatCannotBeSerializedIsAConcurrencyFailure() {
		written("a");
		CyclicBarrier steps = new CyclicBarrier(2);
		List<Throwable> failures = failuresOf((i) -> snapshots().execute((status) -> {
			find("a");
			Concurrently.meet(steps);
			return table().move(queue(), "a", MICROS, MICROS + 1 + i, NOW, false, false);
		}));
		assertThat(failures).hasSize(1).allSatisfy(JournalConcurrencyContract::isConcurrencyFailure);
	}

	private static void isConcurrencyFailure(Throwable failure) {
		assertThat(failure).isInstanceOf(ConcurrencyFailureException.class);
	}

	private List<Throwable> failuresOf(IntFunction<?> action) {
		return Concurrently.<Optional<Throwable>>run(2, (i) -> () -> {
			try {
				action.apply(i);
				return Optional.empty();
			}
			catch (RuntimeException ex) {
				return Optional.of(ex);
			}
		}).stream().flatMap(Optional::stream).toList();
	}

	/** Begins transactions in which what has been changed since cannot be changed. */
	TransactionTemplate snapshots();

	private TransactionTemplate readCommitted() {
		TransactionTemplate template = new TransactionTemplate(transactions().getTransactionManager());
		template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		return template;
	}

	private static <T> T retried(Supplier<T> action) {
		for (int attempt = 1;; attempt++) {
			try {
				return action.get();
			}
			catch (ConcurrencyFailureException ex) {
				if (attempt == 1000) {
					throw ex;
				}
			}
		}
	}

}
