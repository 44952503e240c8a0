package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.ScheduleOutcome;

import static io.github.delayqueue.journal.JournalTableFixture.entry;
import static io.github.delayqueue.journal.JournalTableFixture.ids;
import static io.github.delayqueue.journal.JournalTableFixture.keys;
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
			List<Written> written = Concurrently.run(THREADS, (i) -> () -> retried(() -> write(entry(taskId)).get(0)));
			assertThat(written).extracting(Written::outcome)
				.containsOnlyOnce(ScheduleOutcome.CREATED)
				.containsOnly(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED);
			assertThat(written).extracting(Written::generation).doesNotHaveDuplicates();
			assertThat(found(taskId).generation()).isEqualTo(MICROS + THREADS - 1);
		}
	}

	@Test
	default void oneOfManyCreatesATaskThatAllReject() {
		for (int round = 0; round < 20; round++) {
			String taskId = "task-" + round;
			List<Written> written = Concurrently.run(THREADS,
					(i) -> () -> retried(() -> write(JournalTableFixture.rejecting(taskId)).get(0)));
			assertThat(written).extracting(Written::outcome)
				.containsOnlyOnce(ScheduleOutcome.CREATED)
				.containsOnly(ScheduleOutcome.CREATED, ScheduleOutcome.REJECTED);
			assertThat(written).extracting(Written::generation).containsOnly(MICROS);
		}
	}

	@Test
	default void rejectedTaskDoesNotKeepOthersOfItsBatchOut() {
		for (int round = 0; round < 10; round++) {
			String prefix = round + "-";
			List<List<Written>> written = Concurrently.run(THREADS,
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
		List<List<Written>> written = Concurrently.run(THREADS, (i) -> () -> {
			List<String> shuffled = new ArrayList<>(taskIds);
			Collections.shuffle(shuffled, new Random(i));
			Entry[] entries = shuffled.stream()
				.map((id) -> (i % 2 == 0) ? entry(id) : JournalTableFixture.rejecting(id))
				.toArray(Entry[]::new);
			return retried(() -> write(entries));
		});
		assertThat(written.stream().flatMap(List::stream).map(Written::outcome))
			.filteredOn(ScheduleOutcome.CREATED::equals)
			.hasSize(60);
		assertThat(table().versions(queue(), taskIds)).hasSize(60);
	}

	@Test
	default void taskThatComesAndGoesIsWrittenOrRejected() {
		List<List<Written>> written = Concurrently.run(4, (i) -> () -> {
			List<Written> mine = new ArrayList<>();
			for (int round = 0; round < 50; round++) {
				Written latest = retried(() -> write(JournalTableFixture.rejecting("a")).get(0));
				mine.add(latest);
				inTransaction(() -> table().delete(queue(), List.of(new Key("a", latest.generation()))));
			}
			return mine;
		});
		assertThat(written).allSatisfy((mine) -> assertThat(mine).hasSize(50)
			.extracting(Written::outcome)
			.doesNotContain(ScheduleOutcome.REPLACED));
	}

	@Test
	default void oneOfManyDeletesARow() {
		List<Key> keys = handed(IntStream.range(0, 100).mapToObj((i) -> "task-" + i).toArray(String[]::new));
		List<int[]> deleted = Concurrently.run(4,
				(i) -> () -> retried(() -> inTransaction(() -> table().delete(queue(), keys))));
		for (int i = 0; i < keys.size(); i++) {
			int key = i;
			assertThat(deleted.stream().mapToInt((counts) -> counts[key]).sum()).isOne();
		}
	}

	@Test
	default void loadersTakeDifferentTasks() {
		String[] taskIds = IntStream.range(0, 30).mapToObj((i) -> "task-" + i).toArray(String[]::new);
		written(taskIds);
		CyclicBarrier taken = new CyclicBarrier(3);
		List<List<String>> batches = Concurrently.run(3, (i) -> () -> readCommitted().execute((status) -> {
			List<String> batch = ids(loader().takeWaiting(queue(), NOW, NOW, 10));
			Concurrently.meet(taken);
			return batch;
		}));
		assertThat(batches).allSatisfy((batch) -> assertThat(batch).hasSizeBetween(1, 10));
		assertThat(batches.stream().flatMap(List::stream)).doesNotHaveDuplicates().isSubsetOf(taskIds);
	}

	@Test
	default void loadersLoadEachTaskOnce() {
		String[] taskIds = IntStream.range(0, 400).mapToObj((i) -> "task-" + i).toArray(String[]::new);
		written(taskIds);
		List<List<String>> loaded = Concurrently.run(4, (i) -> () -> {
			List<String> mine = new ArrayList<>();
			while (count() > 0) {
				mine.addAll(retried(this::load));
			}
			return mine;
		});
		assertThat(loaded.stream().flatMap(List::stream)).containsExactlyInAnyOrder(taskIds);
		assertThat(loader().reset(queue(), Long.MAX_VALUE, Long.MAX_VALUE, 500)).isEqualTo(400);
	}

	private List<String> load() {
		return readCommitted().execute((status) -> {
			List<Row> rows = loader().takeWaiting(queue(), NOW, NOW, 20);
			table().mark(queue(), keys(rows), RowState.WAITING, RowState.HANDED);
			return ids(rows);
		});
	}

	@Test
	default void tasksThatSomebodyTakesDoNotHinderScheduling() {
		written("a", "c");
		CyclicBarrier steps = new CyclicBarrier(2);
		Concurrently.run(2, (i) -> () -> {
			if (i == 0) {
				readCommitted().executeWithoutResult((status) -> {
					assertThat(loader().takeWaiting(queue(), NOW, NOW, 10)).hasSize(2);
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
	default void replacementWaitsForTheOneThatHoldsTheRow() {
		written("a");
		CyclicBarrier locked = new CyclicBarrier(2);
		List<Written> written = Concurrently.run(2, (i) -> () -> inTransaction(() -> {
			if (i == 0) {
				table().lock(queue(), "a");
				Concurrently.meet(locked);
				table().move(queue(), "a", MICROS, MICROS + 10, NOW + 1);
				return new Written(ScheduleOutcome.REPLACED, 0);
			}
			Concurrently.meet(locked);
			return table().write(queue(), List.of(entry("a"))).get(0);
		}));
		assertThat(written.get(1)).isEqualTo(new Written(ScheduleOutcome.REPLACED, MICROS + 11));
		assertThat(found("a").dueMillis()).isEqualTo(NOW);
	}

	@Test
	default void epochIsLockedByOneAtATime() {
		for (int round = 0; round < 5; round++) {
			CyclicBarrier asked = new CyclicBarrier(2);
			List<Optional<Epoch>> epochs = Concurrently.run(2, (i) -> () -> {
				if (i == 0) {
					return inTransaction(() -> {
						Optional<Epoch> epoch = loader().lockEpoch(queue(), Long.MAX_VALUE);
						epoch.ifPresent((old) -> loader().remember(queue(), new Epoch("i", old.beat() + 1)));
						Concurrently.meet(asked);
						Concurrently.meet(asked);
						return epoch;
					});
				}
				Concurrently.meet(asked);
				// of a row that is only just being written nobody knows before the commit
				Optional<Epoch> epoch = knownEpoch() ? inTransaction(() -> loader().lockEpoch(queue(), Long.MAX_VALUE))
						: Optional.empty();
				Concurrently.meet(asked);
				return epoch;
			});
			assertThat(epochs.get(0)).contains(new Epoch((round == 0) ? "" : "i", round));
			assertThat(epochs.get(1)).isEmpty();
		}
	}

	/** Whether there is a row that is committed. */
	private boolean knownEpoch() {
		return JdbcClient.create(dataSource())
			.sql("SELECT COUNT(*) FROM delay_queue_epoch WHERE partition_name = ?")
			.param(queue())
			.query(Long.class)
			.single() > 0;
	}

	@Test
	default void epochIsWrittenByOneOfMany() {
		List<Optional<Epoch>> epochs = Concurrently.run(THREADS, (i) -> () -> retried(() -> inTransaction(() -> {
			Optional<Epoch> epoch = loader().lockEpoch(queue(), Long.MAX_VALUE);
			epoch.ifPresent((old) -> loader().remember(queue(), new Epoch("i", old.beat() + 1)));
			return epoch;
		})));
		Set<Epoch> seen = new HashSet<>();
		epochs.forEach((epoch) -> epoch.ifPresent((old) -> assertThat(seen.add(old)).isTrue()));
		assertThat(seen).contains(new Epoch("", 0));
		assertThat(inTransaction(() -> loader().lockEpoch(queue(), Long.MAX_VALUE)))
			.contains(new Epoch("i", seen.size()));
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
			return table().move(queue(), "a", MICROS, MICROS + 1 + i, NOW);
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
				if (attempt == 20) {
					throw ex;
				}
			}
		}
	}

}
