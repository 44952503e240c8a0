package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Transactions that stand in each other's way, in PostgreSQL: those of the journal's own
 * are repeated until they succeed, those of a caller fail as with any other statement in
 * them, and can be repeated by the caller.
 */
@Execution(ExecutionMode.CONCURRENT)
class JournalConflictsIntegrationTests {

	private static final String QUEUE = "orders";

	private static final Duration PATIENCE = Patience.LIMIT;

	/** A deadlock is looked for once, by whoever has waited for so long. */
	@AutoClose
	private final TemporaryDatabase database = TestDatabase.POSTGRESQL.create("&options=-c%20deadlock_timeout=10s");

	private final JdbcTransactionManager transactionManager = new JdbcTransactionManager(this.database.dataSource());

	private final JdbcClient jdbc = JdbcClient.create(this.database.dataSource());

	private final InMemoryTaskStore memory = new InMemoryTaskStore(Clock.systemUTC());

	private final JournaledTaskStore store;

	JournalConflictsIntegrationTests() {
		TestDatabase.POSTGRESQL.applyJournalSchema(this.database);
		this.store = new JournaledTaskStore(new PartitionedTaskStore(this.memory, (queue) -> 1),
				Journal.builder(this.database.dataSource(), this.transactionManager).timeout(PATIENCE).build());
	}

	@Test
	void deadlockOfTwoCallersFailsOneOfThemWhoCanRepeatItsTransaction() {
		schedule("a", "b");
		CyclicBarrier locked = new CyclicBarrier(2);
		CountDownLatch other = new CountDownLatch(1);
		List<String> failures = Concurrently.run(2, (i) -> () -> {
			List<String> ids = (i == 0) ? List.of("a", "b") : List.of("b", "a");
			try {
				transaction(TransactionDefinition.ISOLATION_DEFAULT).executeWithoutResult((status) -> {
					assertThat(move(ids.get(0))).isTrue();
					Concurrently.meet(locked);
					assertThat(move(ids.get(1))).isTrue();
				});
				other.countDown();
				return "";
			}
			catch (ConcurrencyFailureException ex) {
				// before that, the new transaction could take a row that the other is
				// about to get, and let it fail as well
				assertThat(other.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
				transaction(TransactionDefinition.ISOLATION_DEFAULT)
					.executeWithoutResult((status) -> ids.forEach(this::move));
				return "repeated";
			}
		});
		assertThat(failures).containsExactlyInAnyOrder("", "repeated");
		assertThat(Stream.of("a", "b").map((id) -> generation(this.memory.find(QUEUE, id).orElseThrow())))
			.as("the store has what the table has")
			.containsExactly(generation("a"), generation("b"));
	}

	@Test
	void deadlockOfACallerWithOurTransactionIsRepeatedByUs() {
		schedule("a", "b");
		long before = deadlocks();
		CompletableFuture<List<ScheduleOutcome>> ours = new CompletableFuture<>();
		transaction(TransactionDefinition.ISOLATION_DEFAULT).executeWithoutResult((status) -> {
			this.jdbc.sql("SET LOCAL deadlock_timeout = '100s'").update();
			assertThat(this.store.cancel(QUEUE, "b")).isTrue();
			ours.completeAsync(() -> schedule("a", "b"));
			// it has a, and waits for b
			await().atMost(PATIENCE).until(() -> waiting() == 1);
			assertThat(this.store.cancel(QUEUE, "a")).isTrue();
		});
		assertThat(ours.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join())
			.containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED);
		await().atMost(PATIENCE).until(() -> deadlocks() > before);
	}

	@Test
	void redriveLocksRowsInTheOrderInWhichABatchIsWritten() {
		schedule("a", "b");
		this.store.claim(QUEUE, ClaimRequest.of("token", 2, Duration.ofSeconds(30)));
		this.store.settle(QUEUE,
				List.of(Endings.deadLetter("a", "token", true, null), Endings.deadLetter("b", "token", true, null)));
		CompletableFuture<List<Boolean>> redriven = new CompletableFuture<>();
		transaction(TransactionDefinition.ISOLATION_DEFAULT).executeWithoutResult((status) -> {
			schedule("a");
			redriven.completeAsync(() -> transaction(TransactionDefinition.ISOLATION_DEFAULT)
				.execute((other) -> this.store.redrive(QUEUE, List.of("a", "b"))));
			await().atMost(PATIENCE).until(() -> waiting() == 1);
			schedule("b");
			status.setRollbackOnly();
		});
		assertThat(redriven.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).containsExactly(true, true);
	}

	@Test
	void callerWhoseSnapshotIsTooOldFailsAsWithAnyStatementAndCanRepeat() {
		schedule("a");
		TransactionTemplate serializable = transaction(TransactionDefinition.ISOLATION_SERIALIZABLE);
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> serializable.executeWithoutResult((status) -> {
				assertThat(this.store.find(QUEUE, "a")).isPresent();
				CompletableFuture.runAsync(() -> move("a")).join();
				move("a");
			}));
		assertThat(serializable.<Boolean>execute((status) -> this.store.cancel(QUEUE, "a"))).isTrue();
		assertThat(this.memory.find(QUEUE, "a")).isEmpty();
	}

	/** What is due is claimed and finished while callers cancel and replace it. */
	@Test
	void ourTransactionsAreRepeatedWhereTheDatabaseSerializesAll() {
		try (TemporaryDatabase serializing = TestDatabase.POSTGRESQL
			.create("&options=-c%20default_transaction_isolation=serializable")) {
			TestDatabase.POSTGRESQL.applyJournalSchema(serializing);
			JournaledTaskStore all = new JournaledTaskStore(new PartitionedTaskStore(this.memory, (queue) -> 1),
					Journal.builder(serializing.dataSource(), new JdbcTransactionManager(serializing.dataSource()))
						.build());
			Concurrently.run(8, (i) -> () -> {
				for (int round = 0; round < 40; round++) {
					all.schedule(QUEUE, List.of(task("a"), task("b")));
					String token = i + "-" + round;
					List<Settlement> ends = all.claim(QUEUE, ClaimRequest.of(token, 2, Duration.ofSeconds(30)))
						.tasks()
						.stream()
						.map((task) -> Endings.complete(task.id(), token, false))
						.toList();
					await().ignoreException(PartlySettledException.class).until(() -> all.settle(QUEUE, ends) != null);
					all.cancel(QUEUE, (i == 0) ? "a" : "b");
				}
				return i;
			});
			all.cancel(QUEUE, "a");
			all.cancel(QUEUE, "b");
			assertThat(JdbcClient.create(serializing.dataSource())
				.sql("SELECT COUNT(*) FROM delay_queue_task")
				.query(Long.class)
				.single()).isZero();
			// a claim whose transaction was overtaken has released a task, whose row
			// another one has removed since
			await().untilAsserted(() -> {
				assertThat(all.claim(QUEUE, ClaimRequest.of("end", 2, Duration.ofSeconds(30))).tasks()).isEmpty();
				assertThat(this.memory.list(QUEUE, TaskState.SCHEDULED, 0, 10, Contents.NONE)).isEmpty();
			});
		}
	}

	/** The first is in a transaction when the second comes, and looks for a row. */
	@Test
	void ofTwoDebouncedTasksAtOnceTheFirstSaysWhenTheyAreDueAtTheLatest() {
		CompletableFuture<List<ScheduleOutcome>> second = new CompletableFuture<>();
		long limit = transaction(TransactionDefinition.ISOLATION_DEFAULT).execute((status) -> {
			assertThat(debounce()).containsExactly(ScheduleOutcome.CREATED);
			long first = System.currentTimeMillis();
			await().until(() -> System.currentTimeMillis() > first + 10);
			second.completeAsync(this::debounce);
			await().atMost(PATIENCE).until(() -> waiting() == 1);
			return dueAt();
		});
		assertThat(second.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
			.containsExactly(ScheduleOutcome.REPLACED);
		assertThat(dueAt()).isLessThanOrEqualTo(limit);
	}

	private long dueAt() {
		return this.jdbc.sql("SELECT due_at FROM delay_queue_task WHERE task_id = 'a'").query(Long.class).single();
	}

	@Test
	void oneOfManyDebouncedTasksAtOnceBeginsTheBurst() {
		List<List<ScheduleOutcome>> outcomes = Concurrently.run(6, (i) -> this::debounce);
		assertThat(outcomes.stream().map((outcome) -> outcome.get(0))).containsOnlyOnce(ScheduleOutcome.CREATED)
			.containsOnly(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED);
	}

	private List<ScheduleOutcome> debounce() {
		Duration hour = Duration.ofHours(1);
		return this.store.schedule(QUEUE, List.of(Tasks.with(Debounce.of(hour, hour), Tasks.task("a"))));
	}

	private TransactionTemplate transaction(int isolation) {
		TransactionTemplate template = new TransactionTemplate(this.transactionManager);
		template.setIsolationLevel(isolation);
		return template;
	}

	private List<ScheduleOutcome> schedule(String... ids) {
		return this.store.schedule(QUEUE, Stream.of(ids).map(Tasks::task).toList());
	}

	private boolean move(String id) {
		return this.store.reschedule(QUEUE, id, DueTime.in(Duration.ofMinutes(2)));
	}

	private static long generation(StoredTask task) {
		return Generation.of(task.envelope()).orElseThrow();
	}

	private long generation(String id) {
		return this.jdbc.sql("SELECT generation FROM delay_queue_task WHERE task_id = ?")
			.param(id)
			.query(Long.class)
			.single();
	}

	private long waiting() {
		return this.jdbc
			.sql("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() "
					+ "AND wait_event_type = 'Lock'")
			.query(Long.class)
			.single();
	}

	private long deadlocks() {
		return this.jdbc.sql("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
			.query(Long.class)
			.single();
	}

}
