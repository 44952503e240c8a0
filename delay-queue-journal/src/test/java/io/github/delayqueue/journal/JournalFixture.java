package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * A journal in an H2 database in memory, and a store in memory that can be unreachable or
 * lose everything.
 */
final class JournalFixture implements AutoCloseable {

	static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	static final Duration HORIZON = Duration.ofHours(1);

	final MutableClock clock = new MutableClock(START);

	final JdbcConnectionPool dataSource = JdbcConnectionPool
		.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

	final DataSourceTransactionManager transactionManager = new DataSourceTransactionManager(this.dataSource);

	final TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);

	final JdbcClient jdbc = JdbcClient.create(this.dataSource);

	/** Whether calls of the store below the journal fail. */
	final AtomicBoolean unreachable = new AtomicBoolean();

	final InMemoryTaskStore memory = new InMemoryTaskStore(this.clock);

	final FaultyTaskStore below = new FaultyTaskStore(new PartitionedTaskStore(this.memory, (queue) -> 1));

	private final Predicate<String> queues;

	private final Duration horizon;

	final JournalParts parts;

	final JournaledTaskStore store;

	JournalFixture() {
		this((queue) -> true, HORIZON);
	}

	JournalFixture(Predicate<String> queues, Duration horizon) {
		new ResourceDatabasePopulator(new ClassPathResource("/io/github/delayqueue/journal/schema-h2.sql"))
			.execute(this.dataSource);
		this.queues = queues;
		this.horizon = horizon;
		this.below.failWhile(this.unreachable::get, Step.SCHEDULE, Step.CLAIM, Step.SETTLE, Step.REDRIVE, Step.CLEAR,
				Step.FIND, Step.LIST, Step.CANCEL, Step.RESCHEDULE, Step.PURGE, Step.BEAT);
		this.parts = JournalParts.of(this.below, journal(this.clock), "");
		this.store = new JournaledTaskStore(this.parts);
	}

	/** What a process has of its own. */
	JournaledTaskStore instance() {
		return instance(this.below, this.clock);
	}

	JournaledTaskStore instance(TaskStore below, Clock clock) {
		return new JournaledTaskStore(below, journal(clock));
	}

	private Journal journal(Clock clock) {
		return Journal.builder(this.dataSource, this.transactionManager)
			.queues(this.queues)
			.completedKept((queue) -> true)
			.horizon(this.horizon)
			.clock(clock)
			// H2 keeps it for the connection, so that it bounds statements of tests as
			// well
			.timeout(Duration.ofMinutes(5))
			.build();
	}

	/** What a loader does for a queue, once. */
	SingleLoading loading(String queue) {
		return new SingleLoading(queue, this.parts, TaskEvents.NONE);
	}

	/** The rows of a queue by id, and which are dead. */
	String rows(String queue) {
		return String.join(" ", this.jdbc.sql("""
				SELECT task_id || CASE WHEN dead_at IS NULL THEN ':OPEN' ELSE ':DEAD' END FROM delay_queue_task
				WHERE queue = ? ORDER BY task_id""").param(queue).query(String.class).list());
	}

	/** In how long a loader is to look at a row. */
	Duration check(String queue, String taskId) {
		long checkAt = this.jdbc.sql("SELECT check_at FROM delay_queue_task WHERE queue = ? AND task_id = ?")
			.params(queue, taskId)
			.query(Long.class)
			.single();
		return Duration.between(this.clock.instant(), Instant.ofEpochMilli(checkAt));
	}

	@Override
	public void close() {
		this.jdbc.sql("SHUTDOWN").update();
		this.dataSource.dispose();
	}

}
