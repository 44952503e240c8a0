package io.github.delayqueue.journal;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which transactions a queue with a journal takes part in, where there are several.
 */
class TransactionsTests {

	private static final String QUEUE = "orders";

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final TransactionTemplate other = new TransactionTemplate(new DataSourceTransactionManager(
			new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")));

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void transactionOfAnotherDatabaseIsNotOurConcern(boolean readOnly) {
		this.other.setReadOnly(readOnly);
		this.other.executeWithoutResult((status) -> {
			assertThat(schedule("a")).isEqualTo(ScheduleOutcome.CREATED);
			assertThat(this.fixture.memory.find(QUEUE, "a")).as("committed at once").isPresent();
			assertThat(this.fixture.store.cancel(QUEUE, "a")).isTrue();
			assertThat(schedule("b")).isEqualTo(ScheduleOutcome.CREATED);
			assertThat(this.fixture.store.find(QUEUE, "b")).isPresent();
			status.setRollbackOnly();
		});
		assertThat(this.fixture.rows(QUEUE)).startsWith("b:");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void transactionOfAnotherDatabaseWithinOursChangesNothing(boolean readOnly) {
		this.other.setReadOnly(readOnly);
		this.fixture.transaction.executeWithoutResult((status) -> {
			this.other.executeWithoutResult((inner) -> schedule("undone"));
			status.setRollbackOnly();
		});
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
		this.fixture.transaction.executeWithoutResult((status) -> {
			this.other.executeWithoutResult((inner) -> {
				schedule("a");
				inner.setRollbackOnly();
			});
			assertThat(this.fixture.memory.find(QUEUE, "a")).as("not before our commit").isEmpty();
		});
		assertThat(this.fixture.rows(QUEUE)).startsWith("a:");
		assertThat(this.fixture.memory.find(QUEUE, "a")).isPresent();
	}

	@Test
	void transactionOfOursWithinOneOfAnotherDatabaseIsTakenPartIn() {
		this.other.executeWithoutResult((outer) -> {
			this.fixture.transaction.executeWithoutResult((status) -> {
				schedule("undone");
				status.setRollbackOnly();
			});
			this.fixture.transaction.executeWithoutResult((status) -> {
				schedule("a");
				assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
			});
			assertThat(this.fixture.memory.find(QUEUE, "a")).isPresent();
			outer.setRollbackOnly();
		});
		assertThat(this.fixture.rows(QUEUE)).startsWith("a:");
	}

	@Test
	void suspendedTransactionIsNotTakenPartIn() {
		TransactionTemplate without = new TransactionTemplate(this.fixture.transactionManager);
		without.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
		TransactionTemplate another = new TransactionTemplate(this.fixture.transactionManager);
		another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.fixture.transaction.executeWithoutResult((status) -> {
			schedule("undone");
			without.executeWithoutResult((inner) -> schedule("a"));
			another.executeWithoutResult((inner) -> schedule("b"));
			assertThat(this.fixture.memory.find(QUEUE, "a")).isPresent();
			assertThat(this.fixture.memory.find(QUEUE, "b")).isPresent();
			schedule("undone, too");
			status.setRollbackOnly();
		});
		assertThat(this.fixture.rows(QUEUE)).matches("a:\\w+ b:\\w+");
	}

	@Test
	void conflictIsRepeatedUnlessTheTransactionIsTheCallers() {
		AtomicInteger attempts = new AtomicInteger();
		Transactions transactions = this.fixture.parts.transactions();
		Runnable conflict = () -> transactions.write(QUEUE, (later) -> {
			if (attempts.incrementAndGet() == 1) {
				throw new CannotAcquireLockException("A deadlock");
			}
			return true;
		});
		this.other.executeWithoutResult((status) -> conflict.run());
		assertThat(attempts).hasValue(2);
		attempts.set(0);
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> this.fixture.transaction.executeWithoutResult((status) -> conflict.run()));
		assertThat(attempts).hasValue(1);
	}

	@Test
	void conflictIsNotRepeatedForEverNorByAThreadThatIsToEnd() {
		AtomicInteger attempts = new AtomicInteger();
		Runnable conflicts = () -> this.fixture.parts.transactions().apart(QUEUE, () -> {
			throw new CannotAcquireLockException("Attempt " + attempts.incrementAndGet());
		});
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(conflicts::run)
			.withMessageContaining("Attempt 13");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(conflicts::run)
			.withMessageContaining("Attempt 14");
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void whatIsNoConflictIsNotRepeated() {
		AtomicInteger attempts = new AtomicInteger();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.fixture.parts.transactions().apart(QUEUE, () -> {
				throw new DataIntegrityViolationException("Attempt " + attempts.incrementAndGet());
			}))
			.withMessageContaining("Attempt 1");
		assertThat(attempts).hasValue(1);
	}

	@Test
	void timeoutOfTheCallersTransactionIsNamedAsSuch() {
		TransactionTemplate callers = new TransactionTemplate(this.fixture.transactionManager);
		callers.setTimeout(1000);
		for (RuntimeException error : List.of(new TransactionTimedOutException("late"),
				new QueryTimeoutException("late"))) {
			assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> callers.executeWithoutResult((status) -> fail(error)))
				.withMessageContainingAll("of the caller", "@Transactional(timeout)", "'orders'")
				.withMessageNotContaining("delay-queue.journal.timeout")
				.withCause(error);
		}
		QueryTimeoutException ours = new QueryTimeoutException("late");
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> fail(ours))
			.withMessageContaining("delay-queue.journal.timeout");
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> this.fixture.transaction.executeWithoutResult((status) -> fail(ours)))
			.withMessageContaining("delay-queue.journal.timeout");
	}

	/** As the driver of PostgreSQL reports it. */
	@Test
	void transactionThatTheCallerHasSpoiltIsNamedAsSuch() {
		SQLException first = new SQLException("duplicate key value violates unique constraint \"biz_pkey\"", "23505");
		RuntimeException error = new UncategorizedSQLException("insert", "INSERT",
				new SQLException("current transaction is aborted", "25P02", first));
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.fixture.transaction.executeWithoutResult((status) -> fail(error)))
			.withMessageContainingAll("The transaction of the caller had failed before", "biz_pkey", "'orders'")
			.withMessageNotContaining("refused the journal");
	}

	private void fail(RuntimeException error) {
		this.fixture.parts.transactions().write(QUEUE, (later) -> {
			throw error;
		});
	}

	@Test
	void isolationIsSetOnlyWhereWeBegin() {
		DataSourceTransactionManager manager = new DataSourceTransactionManager(this.fixture.dataSource);
		manager.setValidateExistingTransaction(true);
		Transactions transactions = new Transactions(manager, this.fixture.dataSource, MINUTE, true);
		TransactionTemplate callers = new TransactionTemplate(manager);
		callers.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
		assertThat(callers.<Boolean>execute((status) -> transactions.write(QUEUE, (later) -> true))).isTrue();
		assertThat(transactions.<Boolean>write(QUEUE, (later) -> true)).isTrue();
	}

	/** As one of JTA may be: what is written must not depend on whether it commits. */
	@Test
	void transactionThatWasBegunWithoutSpringIsNotTakenPartIn() {
		BegunElsewhere manager = new BegunElsewhere();
		Transactions transactions = new Transactions(manager, this.fixture.dataSource, MINUTE, false);
		manager.active = true;
		assertThat(transactions.isNoneAround()).isFalse();
		assertThat(transactions.<Integer>write(QUEUE, true, (later) -> manager.begun)).as("own transactions").isOne();
		assertThat(manager.active).as("goes on").isTrue();
		manager.active = false;
		assertThat(transactions.isNoneAround()).isTrue();
		assertThat(transactions.<Integer>write(QUEUE, true, (later) -> manager.begun)).as("needs none").isOne();
	}

	private ScheduleOutcome schedule(String id) {
		return this.fixture.store.schedule(QUEUE, List.of(task(id, MINUTE))).get(0);
	}

	/** Knows of transactions that Spring has not begun. */
	private static final class BegunElsewhere extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private boolean active;

		private int begun;

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected boolean isExistingTransaction(Object transaction) {
			return this.active;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.active = true;
			this.begun++;
		}

		@Override
		protected Object doSuspend(Object transaction) {
			this.active = false;
			return this;
		}

		@Override
		protected void doResume(@Nullable Object transaction, Object suspended) {
			this.active = true;
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.active = false;
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.active = false;
		}

	}

}
