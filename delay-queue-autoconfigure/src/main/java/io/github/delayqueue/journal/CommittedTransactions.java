package io.github.delayqueue.journal;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Knows whether the transaction of a thread has been committed already, though it still
 * looks active: so it does to what runs after the commit. What is written with its
 * connection then is never committed. Thread-safe.
 */
final class CommittedTransactions implements TransactionExecutionListener {

	/** For each transaction that a thread has begun whether it has been committed. */
	private final ThreadLocal<Deque<Boolean>> transactions = ThreadLocal.withInitial(ArrayDeque::new);

	/**
	 * Whether the latest transaction that this thread has begun has been committed.
	 * @return whether it has
	 */
	boolean isCommitted() {
		Deque<Boolean> begun = this.transactions.get();
		boolean committed = !begun.isEmpty() && begun.peek();
		if (begun.isEmpty()) {
			this.transactions.remove();
		}
		return committed;
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		if (beginFailure == null) {
			this.transactions.get().push(false);
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		Deque<Boolean> begun = this.transactions.get();
		if (!begun.isEmpty()) {
			begun.pop();
			begun.push(true);
		}
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
		end();
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
		end();
	}

	private void end() {
		Deque<Boolean> begun = this.transactions.get();
		begun.poll();
		if (begun.isEmpty()) {
			this.transactions.remove();
		}
	}

}
