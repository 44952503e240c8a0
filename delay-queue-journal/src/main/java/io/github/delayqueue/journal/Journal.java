package io.github.delayqueue.journal;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.Assert;

/**
 * Which queues have a journal, in which database, and how it works: made by
 * {@link #builder}, which has the defaults. Public for wiring.
 *
 * @param dataSource the database that has the tables
 * @param transactionManager the one whose transactions business data are written in
 * @param queues answers whether a queue has a journal
 * @param completedKept answers whether a queue keeps completed tasks
 * @param horizon tasks that are due within this time are in the store
 * @param timeout how long to wait for the database
 * @param loadInterval how often to look for tasks that come within the horizon
 * @param batchSize how many tasks to load at a time
 * @param clock the clock of the application
 * @param databaseClock what is gone by in place of the database's clock, {@code null} for
 * that one
 */
public record Journal(DataSource dataSource, PlatformTransactionManager transactionManager, Predicate<String> queues,
		Predicate<String> completedKept, Duration horizon, Duration timeout, Duration loadInterval, int batchSize,
		Clock clock, @Nullable Clock databaseClock) implements AopInfrastructureBean {

	public Journal {
		// what a transaction manager knows a transaction-aware one by
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		dataSource = (target != null) ? target : dataSource;
		// as far as due times go
		Duration longest = Duration.ofDays(10_000_000);
		Assert.isTrue(isWithin(Duration.ofSeconds(1), horizon, longest), "horizon must be a second to 10000000 days");
		Assert.isTrue(isWithin(Duration.ofMillis(1), timeout, Duration.ofDays(1)),
				"timeout must be a millisecond to a day");
		Assert.isTrue(isWithin(Duration.ofMillis(1), loadInterval, longest),
				"loadInterval must be a millisecond to 10000000 days");
		Assert.isTrue(batchSize >= 1 && batchSize <= 500, "batchSize must be 1 to 500");
	}

	private static boolean isWithin(Duration least, Duration value, Duration most) {
		return least.compareTo(value) <= 0 && value.compareTo(most) <= 0;
	}

	/** Begin to describe a journal, by what has no default. */
	public static Builder builder(DataSource dataSource, PlatformTransactionManager transactionManager) {
		return new Builder(dataSource, transactionManager);
	}

	/** Also behind proxies, which pass on what they are asked. */
	private static boolean isRouting(DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(AbstractRoutingDataSource.class);
		}
		catch (SQLException | RuntimeException ex) {
			return false;
		}
	}

	/** Describes a journal. */
	public static final class Builder {

		private final DataSource dataSource;

		private final PlatformTransactionManager transactionManager;

		private Predicate<String> queues = (queue) -> true;

		private Predicate<String> completedKept = (queue) -> false;

		private Duration horizon = Duration.ofHours(1);

		private Duration timeout = Duration.ofSeconds(5);

		private Duration loadInterval = Duration.ofSeconds(1);

		private int batchSize = 500;

		private Clock clock = Clock.systemUTC();

		private @Nullable Clock databaseClock;

		private boolean routing;

		private Builder(DataSource dataSource, PlatformTransactionManager transactionManager) {
			this.dataSource = dataSource;
			this.transactionManager = transactionManager;
		}

		/** Which queues have the journal; all by default. */
		public Builder queues(Predicate<String> queues) {
			this.queues = queues;
			return this;
		}

		/**
		 * Which queues keep completed tasks, and so have to be asked about them; none by
		 * default.
		 */
		public Builder completedKept(Predicate<String> completedKept) {
			this.completedKept = completedKept;
			return this;
		}

		/**
		 * Tasks that are due within this time are in the store, others in the database
		 * only; an hour by default, a second at least.
		 */
		public Builder horizon(Duration horizon) {
			this.horizon = horizon;
			return this;
		}

		/**
		 * How long to wait for the database, rounded up to seconds; 5 seconds by default.
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * How often to look for tasks that come within the horizon, and whether the store
		 * has lost any; every second by default.
		 */
		public Builder loadInterval(Duration loadInterval) {
			this.loadInterval = loadInterval;
			return this;
		}

		/** How many tasks to load at a time, 1 to 500; 500 by default. */
		public Builder batchSize(int batchSize) {
			this.batchSize = batchSize;
			return this;
		}

		/**
		 * The clock of the application; that of the system by default. Times in the table
		 * do not depend on it, unless the database is an H2, which runs within the
		 * application.
		 */
		Builder clock(Clock clock) {
			this.clock = clock;
			return this;
		}

		/**
		 * The clock that all times in the table count from; that of the database by
		 * default. For tests that turn it.
		 */
		Builder databaseClock(Clock databaseClock) {
			this.databaseClock = databaseClock;
			return this;
		}

		/**
		 * Whether the data source may be one that routes to several databases
		 * ({@code AbstractRoutingDataSource}), because it leads all threads to the same
		 * one; not by default.
		 */
		public Builder routing(boolean routing) {
			this.routing = routing;
			return this;
		}

		/**
		 * Make the journal.
		 * @throws JournalSetupException if the data source routes to several databases,
		 * and that is not {@linkplain #routing confirmed}
		 */
		public Journal build() {
			if (!this.routing && isRouting(this.dataSource)) {
				throw new JournalSetupException(
						"The DataSource of the journal routes to several databases (AbstractRoutingDataSource), and "
								+ "only tasks in the one that threads of the delay queue are led to would be delivered",
						"Give the journal the DataSource of one database, by @DelayQueueDataSource, with its transaction "
								+ "manager, by @DelayQueueTransactionManager. If this one leads all threads to the same "
								+ "database, set delay-queue.journal.routing=true.");
			}
			return new Journal(this.dataSource, this.transactionManager, this.queues, this.completedKept, this.horizon,
					this.timeout, this.loadInterval, this.batchSize, this.clock, this.databaseClock);
		}

	}

}
