package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalApplicationListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is done with a queue that has a journal while a transaction of the caller ends: in
 * the transaction as long as it can still commit, and in one of its own from then on.
 */
class TransactionPhasesTests {

	private static final String ID = "a";

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration DAY = Duration.ofDays(1);

	private static final String URL = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	/** Sees what is committed, in the table only. */
	private static final DataSource OUTSIDE = new DriverManagerDataSource(URL);

	private static final Map<Pool, DataSource> POOLS = new EnumMap<>(Pool.class);

	/** Not those of another case. */
	private final List<String> queues = List.of("first-" + UUID.randomUUID(), "second-" + UUID.randomUUID());

	private final Clock clock = new MutableClock(START);

	private final InMemoryTaskStore memory = new InMemoryTaskStore(this.clock);

	@BeforeAll
	static void createTables() {
		new ResourceDatabasePopulator(new ClassPathResource("/io/github/delayqueue/journal/schema-h2.sql"))
			.execute(OUTSIDE);
		for (Pool pool : Pool.values()) {
			POOLS.put(pool, pool.dataSource.apply(URL));
		}
	}

	@AfterAll
	static void shutDown() {
		POOLS.forEach(Pool::close);
		JdbcClient.create(OUTSIDE).sql("SHUTDOWN").update();
	}

	static Stream<Arguments> cases() {
		return Stream.of(Pool.values())
			.flatMap((pool) -> Stream.of(Phase.values())
				.flatMap((phase) -> phase.outcomes.stream()
					.flatMap((outcome) -> Stream.of(Operation.values())
						.map((operation) -> Arguments.of(pool, phase, outcome, operation)))));
	}

	@ParameterizedTest
	@MethodSource("cases")
	void whatIsDoneIsCommittedWithTheTransactionOrByItself(Pool pool, Phase phase, Outcome outcome,
			Operation operation) {
		DataSource dataSource = POOLS.get(pool);
		JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
		JournaledTaskStore store = store(dataSource, transactions, this.memory);
		this.queues.forEach((queue) -> operation.prepare(store, queue));
		boolean[] done = new boolean[1];
		Throwable failure = null;
		try {
			new TransactionTemplate(transactions).executeWithoutResult((status) -> {
				JdbcClient.create(dataSource).sql("SELECT 1").query(Integer.class).single();
				phase.register(() -> {
					for (String queue : this.queues) {
						assertThat(operation.run(store, queue)).isTrue();
						// Redis learns of a redrive after the commit, and has the say
						// until then
						assertThat(operation == Operation.REDRIVE && !phase.over
								|| operation.done.test(store.find(queue, ID)))
							.as("seen by whoever did it")
							.isTrue();
					}
					done[0] = true;
				});
				outcome.end(status::setRollbackOnly);
			});
		}
		catch (IllegalStateException ex) {
			failure = ex;
		}
		assertThat(done[0]).isTrue();
		assertThat(failure != null).isEqualTo(outcome == Outcome.COMMIT_FAILS);
		boolean committed = phase.over || outcome == Outcome.COMMIT;
		JournaledTaskStore rows = store(OUTSIDE, new JdbcTransactionManager(OUTSIDE),
				new InMemoryTaskStore(this.clock));
		for (String queue : this.queues) {
			assertThat(operation.done.test(rows.find(queue, ID))).as("committed in queue '%s'", queue)
				.isEqualTo(committed);
			assertThat(operation.done.test(this.memory.find(queue, ID))).as("carried out in queue '%s'", queue)
				.isEqualTo(committed);
		}
	}

	private JournaledTaskStore store(DataSource dataSource, JdbcTransactionManager transactions,
			InMemoryTaskStore memory) {
		return new JournaledTaskStore(new PartitionedTaskStore(memory, (queue) -> 1),
				Journal.builder(dataSource, transactions).horizon(DAY.multipliedBy(3)).clock(this.clock).build());
	}

	enum Pool {

		HIKARI(true), HIKARI_WITHOUT_AUTO_COMMIT(false), SIMPLE((url) -> JdbcConnectionPool.create(url, "", ""));

		private final Function<String, DataSource> dataSource;

		Pool(boolean autoCommit) {
			this((url) -> {
				HikariDataSource pool = new HikariDataSource();
				pool.setJdbcUrl(url);
				pool.setAutoCommit(autoCommit);
				pool.setMaximumPoolSize(2);
				pool.setMinimumIdle(0);
				return pool;
			});
		}

		Pool(Function<String, DataSource> dataSource) {
			this.dataSource = dataSource;
		}

		void close(DataSource dataSource) {
			if (dataSource instanceof HikariDataSource hikari) {
				hikari.close();
			}
			else {
				((JdbcConnectionPool) dataSource).dispose();
			}
		}

	}

	enum Outcome {

		COMMIT, ROLLBACK,

		/** Somebody objects to the commit. */
		COMMIT_FAILS;

		void end(Runnable rollBack) {
			if (this == ROLLBACK) {
				rollBack.run();
			}
			else if (this == COMMIT_FAILS) {
				Phase.BEFORE_COMMIT.register(() -> {
					throw new IllegalStateException("Not to be committed");
				});
			}
		}

	}

	enum Phase {

		BEFORE_COMMIT(false, EnumSet.of(Outcome.COMMIT, Outcome.COMMIT_FAILS)),

		BEFORE_COMPLETION(false, EnumSet.allOf(Outcome.class)),

		AFTER_COMMIT(true, EnumSet.of(Outcome.COMMIT)),

		AFTER_COMPLETION(true, EnumSet.allOf(Outcome.class)),

		LISTENER_BEFORE_COMMIT(false, EnumSet.of(Outcome.COMMIT)),

		LISTENER_AFTER_COMMIT(true, EnumSet.of(Outcome.COMMIT)),

		LISTENER_AFTER_ROLLBACK(true, EnumSet.of(Outcome.ROLLBACK, Outcome.COMMIT_FAILS)),

		LISTENER_AFTER_COMPLETION(true, EnumSet.allOf(Outcome.class));

		/** Whether the transaction has ended by then. */
		private final boolean over;

		private final Set<Outcome> outcomes;

		Phase(boolean over, Set<Outcome> outcomes) {
			this.over = over;
			this.outcomes = outcomes;
		}

		void register(Runnable action) {
			String listener = "LISTENER_";
			if (name().startsWith(listener)) {
				TransactionalApplicationListener
					.forPayload(TransactionPhase.valueOf(name().substring(listener.length())), (event) -> action.run())
					.onApplicationEvent(new PayloadApplicationEvent<>(this, "event"));
				return;
			}
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					runIn(BEFORE_COMMIT);
				}

				@Override
				public void beforeCompletion() {
					runIn(BEFORE_COMPLETION);
				}

				@Override
				public void afterCommit() {
					runIn(AFTER_COMMIT);
				}

				@Override
				public void afterCompletion(int status) {
					runIn(AFTER_COMPLETION);
				}

				private void runIn(Phase phase) {
					if (phase == Phase.this) {
						action.run();
					}
				}

			});
		}

	}

	enum Operation {

		SCHEDULE(Optional::isPresent) {

			@Override
			boolean run(JournaledTaskStore store, String queue) {
				return store.schedule(queue, List.of(task(ID, DAY))).equals(List.of(ScheduleOutcome.CREATED));
			}

		},

		CANCEL(Optional::isEmpty) {

			@Override
			boolean run(JournaledTaskStore store, String queue) {
				return store.cancel(queue, ID);
			}

		},

		RESCHEDULE((task) -> task.orElseThrow().dueAt().equals(START.plus(DAY.multipliedBy(2)))) {

			@Override
			boolean run(JournaledTaskStore store, String queue) {
				return store.reschedule(queue, ID, DueTime.in(DAY.multipliedBy(2)));
			}

		},

		REDRIVE((task) -> task.orElseThrow().state() == TaskState.SCHEDULED) {

			@Override
			boolean run(JournaledTaskStore store, String queue) {
				return store.redrive(queue, List.of(ID)).equals(List.of(true));
			}

		},

		PURGE(Optional::isEmpty) {

			@Override
			boolean run(JournaledTaskStore store, String queue) {
				return store.purge(queue, TaskState.DEAD, 10) == 1;
			}

		},

		CLEAR(Optional::isEmpty) {

			@Override
			boolean run(JournaledTaskStore store, String queue) {
				return store.clear(queue) == 1;
			}

		};

		private final Predicate<Optional<StoredTask>> done;

		Operation(Predicate<Optional<StoredTask>> done) {
			this.done = done;
		}

		void prepare(JournaledTaskStore store, String queue) {
			if (this == REDRIVE || this == PURGE) {
				store.schedule(queue, List.of(task(ID)));
				List<ClaimedRecord> claimed = store.claim(queue, ClaimRequest.of("token", 1, DAY)).tasks();
				assertThat(claimed).hasSize(1);
				store.settle(queue, List.of(Endings.deadLetter(ID, "token", true, null)));
			}
			else if (this != SCHEDULE) {
				store.schedule(queue, List.of(task(ID, DAY)));
			}
		}

		abstract boolean run(JournaledTaskStore store, String queue);

	}

}
