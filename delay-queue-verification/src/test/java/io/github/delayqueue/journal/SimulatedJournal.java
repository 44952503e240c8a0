package io.github.delayqueue.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.TaskStore;

/**
 * The journal of one instance of a simulation. Whoever runs it makes one round of its
 * loader after the other, on threads that may wait; no other thread takes part, so that
 * those who commit hand over what they have committed.
 */
public final class SimulatedJournal {

	/** From one round to the next: few, because the database takes real time. */
	public static final Duration LOAD_INTERVAL = Duration.ofSeconds(5);

	private final JournaledTaskStore store;

	private final JournalLoader loader;

	private SimulatedJournal(JournaledTaskStore store) {
		this.store = store;
		this.loader = new JournalLoader(store, TaskEvents.NONE);
	}

	/** The store of the instance. */
	public TaskStore store() {
		return this.store;
	}

	/**
	 * One round of the loader.
	 * @param threads has a thread for each queue
	 */
	public void round(Executor threads) {
		this.loader.round(threads);
	}

	/**
	 * The database of all instances, in memory.
	 */
	public static final class Database implements AutoCloseable {

		private static final AtomicLong NUMBERS = new AtomicLong();

		private final JdbcConnectionPool dataSource = JdbcConnectionPool.create(
				"jdbc:h2:mem:simulation-" + NUMBERS.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20", "sa", "");

		private final DataSourceTransactionManager transactionManager = new DataSourceTransactionManager(
				this.dataSource);

		private final AtomicLong opened = new AtomicLong();

		/** Create a database with the tables. */
		public Database() {
			this.dataSource.setMaxConnections(200);
			new ResourceDatabasePopulator(new ClassPathResource("/io/github/delayqueue/journal/schema-h2.sql"))
				.execute(this.dataSource);
		}

		/**
		 * Open a journal in an application whose own clock is far from being right.
		 * @param clock what the clock of the database shows
		 */
		public SimulatedJournal open(TaskStore redis, Clock clock) {
			return new SimulatedJournal(new JournaledTaskStore(redis,
					Journal.builder(this.dataSource, this.transactionManager)
						.loadInterval(LOAD_INTERVAL)
						.clock(Clock.offset(clock, Duration.ofMinutes(this.opened.getAndIncrement() % 3 - 1)))
						.databaseClock(clock)
						.build()));
		}

		@Override
		public void close() {
			try (Connection connection = this.dataSource.getConnection();
					Statement statement = connection.createStatement()) {
				statement.execute("SHUTDOWN");
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
			this.dataSource.dispose();
		}

	}

}
