package io.github.delayqueue.journal;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;

/**
 * Runs steps in the transaction of the caller, or in one of their own, which is repeated
 * after conflicts, and what is to follow them after its commit. The caller has to repeat
 * its own, and gets a {@link ConcurrencyFailureException}. Thread-safe.
 */
final class Transactions {

	private static final Logger logger = LoggerFactory.getLogger(Transactions.class);

	/** Where the database serializes all, each of many may be refused for any other. */
	private static final int RETRIES = 12;

	private static final int DOUBLINGS = 5;

	/** What PostgreSQL says to each statement after one that failed. */
	private static final String FAILED_TRANSACTION = "25P02";

	/** So many steps of loaders are in the database at once. */
	private static final int LOADERS = 2;

	/** Finds the transaction of the caller as it is, also where one is validated. */
	private static final DefaultTransactionDefinition AS_IT_IS = new DefaultTransactionDefinition(
			TransactionDefinition.PROPAGATION_SUPPORTS);

	static {
		AS_IT_IS.setReadOnly(true);
	}

	private final PlatformTransactionManager transactionManager;

	private final DataSource dataSource;

	private final OpenTransactions open = new OpenTransactions(Transactions::completed);

	private final Semaphore loaders = new Semaphore(LOADERS);

	private final TransactionTemplate callers;

	/** Has nothing to do with a transaction of the caller. */
	private final TransactionTemplate own;

	Transactions(PlatformTransactionManager transactionManager, DataSource dataSource, Duration timeout,
			boolean readCommitted) {
		if (transactionManager instanceof ConfigurableTransactionManager configurable) {
			configurable.addListener(this.open);
		}
		this.transactionManager = transactionManager;
		this.dataSource = dataSource;
		this.callers = new TransactionTemplate(transactionManager, AS_IT_IS);
		this.own = new TransactionTemplate(transactionManager);
		this.own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.own.setTimeout((int) Math.max(1, timeout.plusNanos(999_999_999).toSeconds()));
		if (readCommitted && transactionManager instanceof DataSourceTransactionManager) {
			// others may refuse it
			this.own.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		}
	}

	/** What the thread does might as well be done by another one. */
	boolean isNoneAround() {
		return !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive()
				&& !TransactionSynchronizationManager.hasResource(this.dataSource)
				// one of JTA may have been begun without Spring
				&& (this.transactionManager instanceof ResourceTransactionManager || !isThere());
	}

	private boolean isThere() {
		TransactionStatus status = this.transactionManager.getTransaction(AS_IT_IS);
		boolean there = status.hasTransaction();
		this.transactionManager.commit(status);
		return there;
	}

	/** The transaction of the caller, if there is one that can still commit. */
	private @Nullable AfterCommit callers() {
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			// none, or its last callbacks are running
			return null;
		}
		return isThere() ? this.open.current() : null;
	}

	/**
	 * Run a step that writes. What it gives to the executor is done after the commit, and
	 * must not use the database.
	 */
	<T> T write(String queue, Function<Executor, T> step) {
		return write(queue, false, step);
	}

	/** The same; one that is at once needs no transaction. */
	<T> T write(String queue, boolean atOnce, Function<Executor, T> step) {
		AfterCommit open = callers();
		if (open != null) {
			if (open.isReadOnly()) {
				throw new DelayQueueException(queue, null, "Queue '" + queue + "' has a journal, and tasks cannot be "
						+ "changed in a transaction that is read-only (@Transactional(readOnly = true))");
			}
			return translate(queue, true, () -> this.callers.execute((status) -> step.apply(open::add)));
		}
		List<Runnable> later = new ArrayList<>();
		T answer = apart(queue, atOnce, () -> {
			later.clear();
			return step.apply(later::add);
		});
		later.forEach(Runnable::run);
		return answer;
	}

	/** After the commit of the caller's transaction; else at once. */
	void afterCommit(Runnable action) {
		AfterCommit open = callers();
		if (open != null) {
			open.add(action);
		}
		else {
			action.run();
		}
	}

	<T> T read(@Nullable String queue, Supplier<T> step) {
		return (callers() != null) ? translate(queue, true, step) : apart(queue, true, step);
	}

	/** Run a step in a transaction of its own, whatever becomes of the caller's. */
	<T> T apart(@Nullable String queue, Supplier<T> step) {
		return apart(queue, false, step);
	}

	<T> T apart(@Nullable String queue, boolean atOnce, Supplier<T> step) {
		boolean bare = atOnce && isNoneAround();
		return translate(queue, false,
				() -> repeated(() -> bare ? step.get() : this.own.execute((status) -> step.get())));
	}

	/** Others may be in the way for a moment. Spring has the like from version 7 on. */
	private static <T> T repeated(Supplier<T> step) {
		for (int before = 0;; before++) {
			try {
				return step.get();
			}
			catch (RuntimeException ex) {
				if (before == RETRIES || Thread.currentThread().isInterrupted()
						|| causes(ex).noneMatch(ConcurrencyFailureException.class::isInstance)) {
					throw ex;
				}
				long mostMillis = 10L << Math.min(before, DOUBLINGS);
				LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(5, mostMillis + 1) * 1_000_000);
			}
		}
	}

	/** The same for loaders: few at a time, so that connections are left for others. */
	<T> T loading(String queue, Supplier<T> step) {
		this.loaders.acquireUninterruptibly();
		try {
			return apart(queue, step);
		}
		finally {
			this.loaders.release();
		}
	}

	/** What fails is made up for by claims and loaders: the caller has committed. */
	private static void completed(List<Runnable> steps, boolean committed) {
		if (!committed) {
			return;
		}
		for (Runnable step : steps) {
			try {
				step.run();
			}
			catch (RuntimeException ex) {
				logger.warn("A step after the commit of a transaction failed: {}", Names.printable(ex));
				logger.debug("Stack trace of the failed step after the commit", ex);
			}
		}
	}

	private <T> T translate(@Nullable String queue, boolean callers, Supplier<T> step) {
		try {
			return step.get();
		}
		catch (DataAccessResourceFailureException | QueryTimeoutException | CannotCreateTransactionException
				| TransactionTimedOutException ex) {
			if (callers && isTimeOfCaller(ex)) {
				throw new DelayQueueException(queue, null,
						"The transaction of the caller took longer than its own "
								+ "timeout, as of @Transactional(timeout), before the journal" + of(queue)
								+ " was written: " + ex.getMostSpecificCause().getMessage(),
						ex);
			}
			throw new StoreUnavailableException(queue, null,
					"The database with the journal" + of(queue)
							+ " could not be reached, or did not answer within delay-queue.journal.timeout: "
							+ ex.getMostSpecificCause().getMessage(),
					ex);
		}
		catch (DataAccessException ex) {
			if (callers && ex instanceof ConcurrencyFailureException) {
				// so that whoever repeats such transactions knows this one
				throw ex;
			}
			if (callers && hasFailedBefore(ex)) {
				throw new DelayQueueException(queue, null,
						"The transaction of the caller had failed before the journal" + of(queue)
								+ " was written, and PostgreSQL takes no statement in it any more, although the error "
								+ "was caught (a nested transaction, Propagation.NESTED, bears it): "
								+ ex.getMostSpecificCause().getMessage(),
						ex);
			}
			throw new DelayQueueException(queue, null,
					"The database refused the journal" + of(queue) + ": " + ex.getMostSpecificCause().getMessage(), ex);
		}
		catch (TransactionException ex) {
			throw new DelayQueueException(queue, null, "The transaction with the journal" + of(queue) + " failed: "
					+ ex.getMostSpecificCause().getMessage(), ex);
		}
	}

	/** In a transaction with a timeout, that bounds its statements, and not ours. */
	private boolean isTimeOfCaller(RuntimeException error) {
		return error instanceof TransactionTimedOutException
				|| (error instanceof QueryTimeoutException
						&& TransactionSynchronizationManager
							.getResource(this.dataSource) instanceof ResourceHolderSupport holder
						&& holder.hasTimeout());
	}

	/** The driver has the first error for a cause. */
	private static boolean hasFailedBefore(Throwable error) {
		return causes(error)
			.anyMatch((cause) -> cause instanceof SQLException sql && FAILED_TRANSACTION.equals(sql.getSQLState()));
	}

	private static Stream<Throwable> causes(Throwable error) {
		return Stream.iterate(error, Objects::nonNull, Throwable::getCause);
	}

	private static String of(@Nullable String queue) {
		return (queue != null) ? " of queue '" + queue + "'" : "";
	}

}
