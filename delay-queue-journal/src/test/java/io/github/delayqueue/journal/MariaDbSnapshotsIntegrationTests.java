package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Transactions of callers in MariaDB that read from a snapshot, as they do by default.
 */
class MariaDbSnapshotsIntegrationTests {

	private static final String QUEUE = "orders";

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@AutoClose
	private final TemporaryDatabase database = TestDatabase.MARIADB
		.create("?sessionVariables=innodb_snapshot_isolation=OFF");

	private final JdbcTransactionManager transactionManager = new JdbcTransactionManager(this.database.dataSource());

	private final TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);

	private final JdbcClient jdbc = JdbcClient.create(this.database.dataSource());

	private final JournaledTaskStore store;

	MariaDbSnapshotsIntegrationTests() {
		TestDatabase.MARIADB.applyJournalSchema(this.database);
		this.store = new JournaledTaskStore(
				new PartitionedTaskStore(new InMemoryTaskStore(Clock.systemUTC()), (queue) -> 1),
				Journal.builder(this.database.dataSource(), this.transactionManager).timeout(Patience.LIMIT).build());
	}

	@Test
	void taskThatWasHandledSinceTheSnapshotIsNoReasonToReject() {
		assertThat(reject("a", "b")).containsOnly(ScheduleOutcome.CREATED);
		this.transaction.executeWithoutResult((status) -> {
			beginToRead();
			meanwhile(this::handle);
			assertThat(reject("a", "b", "c")).containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.REJECTED,
					ScheduleOutcome.CREATED);
		});
		assertThat(ids()).containsExactly("a", "b", "c");
	}

	/** The caller repeats it, as with any other statement. */
	@Test
	void transactionFailsWhereItMayNotSeeWhatWasHandledSinceTheSnapshot() {
		assertThat(reject("a")).containsOnly(ScheduleOutcome.CREATED);
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.jdbc.sql("SET innodb_snapshot_isolation = ON").update();
				beginToRead();
				meanwhile(this::handle);
				reject("a");
			}));
	}

	private List<Boolean> handle() {
		assertThat(this.store.claim(QUEUE, ClaimRequest.of("token", 1, MINUTE)).tasks()).hasSize(1);
		return this.store.settle(QUEUE, List.of(Endings.complete("a", "token", false)));
	}

	@Test
	void idsThatNobodyKnowsKeepNobodyWaiting() {
		this.store.schedule(QUEUE, List.of(task("b", MINUTE)));
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.store.cancel(QUEUE, "d")).isFalse();
			assertThat(this.store.reschedule(QUEUE, "f", DueTime.in(MINUTE))).isFalse();
			meanwhile(
					() -> this.store.schedule(QUEUE, List.of(task("c", MINUTE), task("e", MINUTE), task("g", MINUTE))));
			assertThat(this.store.cancel(QUEUE, "b")).isTrue();
		});
		assertThat(ids()).containsExactly("c", "e", "g");
	}

	private void beginToRead() {
		assertThat(ids()).isNotEmpty();
	}

	/** What another thread does, which waits for no lock of this one for ever. */
	private static <T> T meanwhile(Supplier<T> step) {
		return CompletableFuture.supplyAsync(step).orTimeout(20, TimeUnit.SECONDS).join();
	}

	private List<ScheduleOutcome> reject(String... ids) {
		return this.store.schedule(QUEUE,
				Stream.of(ids)
					.map((id) -> new NewTask(id, bytes("{}"), DueTime.in(id.equals("a") ? Duration.ZERO : MINUTE),
							TaskPriority.NORMAL, Replacement.REJECT))
					.toList());
	}

	private List<String> ids() {
		return this.jdbc.sql("SELECT CONVERT(task_id USING utf8mb4) FROM delay_queue_task ORDER BY task_id")
			.query(String.class)
			.list();
	}

}
