package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The contract of {@link JournalTable}, one interface of tests for each part of it, on a
 * database that the tests of a class share.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractJournalTableTests implements JournalWriteContract, JournalRowContract, JournalIdContract,
		JournalLoaderContract, JournalConcurrencyContract, JournalSettlementContract {

	private final TestDatabase kind;

	private final String parameters;

	private final MutableClock clock = new MutableClock(START);

	private TemporaryDatabase database;

	private JournalTable table;

	private TransactionTemplate transactions;

	private String queue;

	AbstractJournalTableTests(TestDatabase kind, String parameters) {
		this.kind = kind;
		this.parameters = parameters;
	}

	@BeforeAll
	void createDatabase() {
		this.database = this.kind.create(this.parameters);
		this.kind.applyJournalSchema(this.database);
		this.table = table(this.database.dataSource());
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(this.database.dataSource()));
	}

	JournalTable table(DataSource dataSource) {
		return JournalTable.of(dataSource, this.clock, TIMEOUT, HORIZON, DatabaseProduct.of(dataSource));
	}

	@AfterAll
	void dropDatabase() {
		if (this.database != null) {
			this.database.close();
		}
	}

	@Test
	void schemaIsHarmlessWhenItIsAppliedAgain() {
		written("a");
		this.kind.applyJournalSchema(this.database);
		assertThat(find("a")).isPresent();
	}

	@Test
	void anyNumberOfIdleQueuesCostsFewStatements() {
		StatementCounter counter = new StatementCounter(dataSource());
		JournalParts parts = instance(counter.dataSource());
		JournaledTaskStore store = new JournaledTaskStore(parts);
		JournalLoader loader = new JournalLoader(store, TaskEvents.NONE);
		List<String> queues = IntStream.range(0, 40).mapToObj((i) -> queue() + "-" + i).toList();
		queues.forEach(store::isJournaled);
		for (int round = 0; round < 3; round++) {
			clock().advance(Duration.ofSeconds(1));
			loader.round(Runnable::run);
		}
		Map<String, Long> before = beats();
		assertThat(before).containsOnlyKeys(queues);
		counter.reset();
		List<Runnable> steps = new ArrayList<>();
		for (int round = 0; round < 5; round++) {
			clock().advance(Duration.ofSeconds(1));
			loader.round((step) -> {
				steps.add(step);
				step.run();
			});
		}
		assertThat(beats()).as("a loss would be seen").allSatisfy((queue, beat) -> {
			assertThat(beat).isEqualTo(before.get(queue) + 5);
		});
		assertThat(counter.statements()).as("in five seconds").isLessThanOrEqualTo(5 * 5);
		assertThat(steps).as("each on a thread").hasSize(5);
		JournalLoader other = new JournalLoader(new JournaledTaskStore(parts), TaskEvents.NONE);
		counter.reset();
		for (int round = 0; round < 10; round++) {
			clock().advance(Duration.ofMillis(500));
			((round % 2 == 0) ? loader : other).round(Runnable::run);
		}
		assertThat(counter.statements()).as("by two instances").isLessThanOrEqualTo(2 * 5 * 5);
		assertThat(beats()).as("they share what there is to do").allSatisfy((queue, beat) -> {
			assertThat(beat).isBetween(before.get(queue) + 10, before.get(queue) + 15);
		});
	}

	/** How often the marks of the test's queues have been renewed. */
	private Map<String, Long> beats() {
		return jdbc().sql("SELECT partition_name, beat FROM delay_queue_epoch WHERE partition_name LIKE ?")
			.param(queue() + "%")
			.query((row, number) -> Map.entry(row.getString(1), row.getLong(2)))
			.list()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	private JournalParts instance(DataSource dataSource) {
		Journal journal = Journal.builder(dataSource, new JdbcTransactionManager(dataSource))
			.queues((name) -> name.startsWith(queue()))
			.horizon(HORIZON)
			.timeout(TIMEOUT)
			.clock(this.clock)
			.build();
		JournalTable counted = table(dataSource);
		TaskStore store = new InMemoryTaskStore(this.clock);
		Transactions steps = new Transactions(journal.transactionManager(), dataSource, TIMEOUT, counted.locksGaps());
		return new JournalParts(store, counted, steps,
				new HandOver(store, new DatabaseClock(this.clock), HORIZON, (queue) -> false),
				new Rechecks(counted, steps), journal, new DatabaseClock(this.clock),
				new Ownership("table", store, this.clock));
	}

	/** That of the application, where it is within it. */
	@Test
	void clockOfTheDatabaseGoesOnWithinATransactionInAnyTimeZone() {
		DatabaseProduct product = DatabaseProduct.of(dataSource());
		JdbcTemplate jdbc = new JdbcTemplate(dataSource());
		DatabaseClock clock = product.clock(jdbc, Clock.systemUTC());
		doInTransaction(() -> {
			if (product != DatabaseProduct.H2) {
				jdbc.execute(((product == DatabaseProduct.POSTGRESQL) ? "SET LOCAL TIME ZONE " : "SET time_zone = ")
						+ "'-11:00'");
			}
			clock.ask();
			Instant first = clock.instant();
			// tests and their servers are on one machine
			assertThat(first).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
			long started = System.nanoTime();
			await().until(() -> System.nanoTime() - started > 300_000_000);
			DatabaseClock later = product.clock(jdbc, Clock.systemUTC());
			later.ask();
			assertThat(later.instant()).isAfterOrEqualTo(first.plusMillis(200));
		});
	}

	@BeforeEach
	void prepare() {
		this.queue = "queue-" + UUID.randomUUID();
		this.clock.set(START);
	}

	TemporaryDatabase database() {
		return this.database;
	}

	@Override
	public JournalTable table() {
		return this.table;
	}

	@Override
	public String queue() {
		return this.queue;
	}

	@Override
	public MutableClock clock() {
		return this.clock;
	}

	@Override
	public DataSource dataSource() {
		return this.database.dataSource();
	}

	@Override
	public TransactionTemplate transactions() {
		return this.transactions;
	}

	@Override
	public TransactionTemplate snapshots() {
		TransactionTemplate template = new TransactionTemplate(this.transactions.getTransactionManager());
		template.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		return template;
	}

}
