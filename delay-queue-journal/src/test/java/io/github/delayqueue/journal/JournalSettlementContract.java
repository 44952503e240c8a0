package io.github.delayqueue.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Patience;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Deliveries that end while transactions of others hold rows.
 */
interface JournalSettlementContract extends JournalTableFixture {

	String TOKEN = "token";

	Duration LEASE = Duration.ofMinutes(1);

	@Test
	default void rowsThatSomebodyHoldsArePassedOver() {
		List<Key> keys = written("a", "b", "c", "d");
		whileHeld(() -> {
			assertThat(inTransaction(() -> table().tryLock(queue(), keys))).containsExactlyInAnyOrder(keys.get(0),
					keys.get(2), keys.get(3));
			assertThat(inTransaction(() -> table().delete(queue(), keys))).containsExactlyInAnyOrder(keys.get(0),
					keys.get(2), keys.get(3));
		}, "b");
		assertThat(inTransaction(() -> table().tryLock(queue(), keys))).containsExactly(keys.get(1));
		assertThat(inTransaction(() -> table().delete(queue(), keys))).containsExactly(keys.get(1));
	}

	/** An optimizer prefers to walk through all of them. */
	@Test
	default void rowThatIsNotAskedForIsNotWaitedForHoweverManyAre() {
		String[] ids = IntStream.range(0, 450).mapToObj((i) -> "task-" + i).toArray(String[]::new);
		List<Key> keys = written(ids);
		List<String> dead = List.of(ids).subList(1, 200);
		whileHeld(() -> {
			dead.forEach((id) -> table().deadLetter(queue(), new Key(id, MICROS), null));
			assertThat(inTransaction(() -> {
				List<Key> found = table().findDead(queue(), 0, 500);
				return table().deleteDead(queue(), found);
			})).hasSize(dead.size());
			assertThat(inTransaction(() -> table().delete(queue(), keys.subList(200, 450))))
				.containsExactlyInAnyOrderElementsOf(keys.subList(200, 450));
			assertThat(inTransaction(() -> table().delete(queue(), keys))).isEmpty();
		}, "task-0");
		assertThat(versions(ids)).containsOnlyKeys("task-0");
	}

	@Test
	default void onlyRowsOfTheGenerationAreLocked() {
		Key key = written("a").get(0);
		List<Key> keys = List.of(new Key("a", key.generation() - 1), key, new Key("unknown", MICROS), key);
		assertThat(inTransaction(() -> table().tryLock(queue(), keys))).containsExactly(key);
		assertThat(inTransaction(() -> table().tryLock(queue() + "-2", keys))).isEmpty();
		assertThat(inTransaction(() -> table().tryLock(queue(), List.of()))).isEmpty();
	}

	@Test
	default void deliveriesAreSettledWhileATransactionHoldsTheRowOfOne() {
		InMemoryTaskStore memory = new InMemoryTaskStore(clock());
		JournaledTaskStore store = store(memory);
		String[] ids = IntStream.range(0, 20).mapToObj((i) -> "task-" + i).toArray(String[]::new);
		claimed(store, ids);
		List<Settlement> ends = Stream.of(ids).map((id) -> Endings.complete(id, TOKEN, false)).toList();
		whileHeld(() -> {
			List<@Nullable Boolean> applied = partly(store, ends);
			assertThat(applied.get(7)).isNull();
			assertThat(applied).hasSize(20).filteredOn((one) -> one != null).hasSize(19).containsOnly(true);
			assertThat(versions(ids)).containsOnlyKeys("task-7");
			assertThat(memory.stats(queue())).extracting(QueueStats::inFlight, (stats) -> stats.totals().completed())
				.containsExactly(1L, 19L);
			assertThat(partly(store, ends.subList(7, 8))).containsExactly((Boolean) null);
		}, "task-7");
		assertThat(store.settle(queue(), ends.subList(7, 8))).as("after a rollback").containsExactly(true);
		assertThat(versions(ids)).isEmpty();
		assertThat(memory.stats(queue()).inFlight()).isZero();
	}

	@Test
	default void deliveryIsStaleWhenTheTransactionThatHoldsItsRowIsCommitted() {
		InMemoryTaskStore memory = new InMemoryTaskStore(clock());
		JournaledTaskStore store = store(memory);
		claimed(store, "cancelled", "replaced", "other");
		List<Settlement> ends = Stream.of("cancelled", "replaced", "other")
			.map((id) -> Endings.complete(id, TOKEN, false))
			.toList();
		clock().advance(Duration.ofMillis(1));
		doInTransaction(() -> {
			assertThat(store.cancel(queue(), "cancelled")).isTrue();
			store.schedule(queue(), List.of(task("replaced", LEASE)));
			assertThat(elsewhere(() -> partly(store, ends))).containsExactly(null, null, true);
		});
		assertThat(store.settle(queue(), ends.subList(0, 2))).containsExactly(false, false);
		assertThat(versions("cancelled", "replaced", "other")).containsOnlyKeys("replaced");
		assertThat(memory.stats(queue()).totals().completed()).isOne();
	}

	@Test
	default void howeverADeliveryEndsItDoesNotWaitForARowThatSomebodyHolds() {
		Instant next = Instant.ofEpochMilli(NOW).plus(LEASE);
		Map<String, Settlement> ends = Map.of("complete", Endings.complete("complete", TOKEN, false), "keep",
				Endings.complete("keep", TOKEN, true), "drop", Endings.drop("drop", TOKEN), "bury",
				Endings.deadLetter("bury", TOKEN, true, bytes("{}")), "again",
				Endings.again("again", TOKEN, LEASE, null), "repeat", Endings.repeat("repeat", TOKEN, next, null),
				"skip", Endings.skip("skip", TOKEN, false, null, next));
		InMemoryTaskStore memory = new InMemoryTaskStore(clock());
		JournaledTaskStore store = store(memory);
		String[] ids = ends.keySet().toArray(String[]::new);
		List<Settlement> all = List.copyOf(ends.values());
		claimed(store, ids);
		Map<String, Row> before = versions(ids);
		// another instance has to ask of which generation a task is
		for (JournaledTaskStore instance : List.of(store, store(memory))) {
			whileHeld(() -> {
				assertThat(partly(instance, all)).hasSize(7).containsOnlyNulls();
				assertThat(memory.stats(queue()).inFlight()).isEqualTo(7);
			}, ids);
			assertThat(versions(ids)).usingRecursiveComparison().isEqualTo(before);
		}
		assertThat(store(memory).settle(queue(), all)).hasSize(7).containsOnly(true);
		assertThat(versions(ids)).containsOnlyKeys("bury", "again", "repeat", "skip");
		assertThat(found("bury").dead()).isTrue();
		assertThat(Stream.of("again", "repeat", "skip").map((id) -> found(id).dueMillis()))
			.containsOnly(next.toEpochMilli());
	}

	@Test
	default void whatLeavesTheRowAsItIsIsSettledWhoeverHoldsTheRow() {
		JournaledTaskStore store = store(new InMemoryTaskStore(clock()));
		claimed(store, "retry", "release");
		whileHeld(() -> {
			assertThat(store.settle(queue(),
					List.of(Endings.retry("retry", TOKEN, LEASE, null), Endings.release("release", TOKEN, null))))
				.containsExactly(true, true);
		}, "retry", "release");
	}

	@Test
	default void secondSettlementOfADeliveryWaitsForTheFirst() {
		InMemoryTaskStore memory = new InMemoryTaskStore(clock());
		JournaledTaskStore store = store(memory);
		claimed(store, "a");
		List<Settlement> twice = List.of(Endings.complete("a", TOKEN, false), Endings.complete("a", TOKEN, false));
		whileHeld(() -> {
			assertThat(partly(store, twice)).hasSize(2).containsOnlyNulls();
			assertThat(memory.stats(queue()).inFlight()).isOne();
		}, "a");
		assertThat(store.settle(queue(), twice)).containsExactly(true, false);
	}

	@Test
	default void claimDoesNotWaitForRowsThatSomebodyHolds() {
		JournaledTaskStore store = store(new InMemoryTaskStore(clock()));
		claimed(store, "dead", "held-dead");
		store.settle(queue(), List.of(Endings.deadLetter("dead", TOKEN, true, null),
				Endings.deadLetter("held-dead", TOKEN, true, null)));
		store.schedule(queue(), List.of(task("a"), task("b")));
		whileHeld(() -> {
			assertThat(store.claim(queue(), ClaimRequest.of("second", 10, LEASE)).tasks()).extracting(ClaimedRecord::id)
				.containsExactlyInAnyOrder("a", "b");
			assertThat(store.requireRole(TaskRetention.class)
				.tend(queue(), new Retention(Duration.ZERO, null, 0L))
				.purged()).containsExactlyInAnyOrder("dead", "held-dead");
			assertThat(find("dead")).isEmpty();
		}, "a", "held-dead");
		assertThat(find("held-dead")).isPresent();
	}

	private JournaledTaskStore store(InMemoryTaskStore memory) {
		return new JournaledTaskStore(new PartitionedTaskStore(memory, (queue) -> 1),
				Journal.builder(dataSource(), transactions().getTransactionManager())
					.databaseClock(clock())
					.timeout(TIMEOUT)
					.build());
	}

	private void claimed(JournaledTaskStore store, String... ids) {
		store.schedule(queue(), Stream.of(ids).map(Tasks::task).toList());
		assertThat(store.claim(queue(), ClaimRequest.of(TOKEN, 100, LEASE)).tasks()).hasSize(ids.length);
	}

	private List<@Nullable Boolean> partly(JournaledTaskStore store, List<Settlement> settlements) {
		PartlySettledException exception = catchThrowableOfType(PartlySettledException.class,
				() -> store.settle(queue(), settlements));
		assertThat(exception).as("some are held back").isNotNull();
		return exception.getApplied();
	}

	private Map<String, Row> versions(String... ids) {
		return table().versions(queue(), List.of(ids));
	}

	private static <T> T elsewhere(Supplier<T> action) {
		return CompletableFuture.supplyAsync(action).orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
	}

	/**
	 * Do something while a transaction has deleted rows that is rolled back afterwards.
	 * @param action what to do
	 * @param ids whose rows
	 */
	private void whileHeld(Runnable action, String... ids) {
		try (Connection connection = dataSource().getConnection();
				PreparedStatement statement = connection
					.prepareStatement("DELETE FROM delay_queue_task WHERE queue = ? AND task_id = ?")) {
			connection.setAutoCommit(false);
			try {
				for (String id : ids) {
					statement.setString(1, queue());
					statement.setString(2, id);
					assertThat(statement.executeUpdate()).isOne();
				}
				action.run();
			}
			finally {
				connection.rollback();
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
